"""Clusters of two processes, whose workers come back however long that takes."""

from contextlib import contextmanager

PATIENCE = 300  # seconds: a busy machine needs long to start a worker again
KEEPS_ALL = {"distributed.deploy.lost-worker-timeout": f"{PATIENCE} s"}


@contextmanager
def cluster_of_two():
    """Start two workers; one that dies is started again, and is not given up meanwhile."""
    import dask
    from distributed import Client, LocalCluster

    with (
        dask.config.set(KEEPS_ALL),
        LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0"
        ) as cluster,
        Client(cluster) as client,
    ):
        yield client


def wait_for_both(client):
    """Wait until both workers are there."""
    client.wait_for_workers(2, timeout=PATIENCE)
