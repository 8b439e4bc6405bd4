"""Tasks that workers share: all are done, whoever adds them, and a failure ends it."""

from concurrent.futures import ThreadPoolExecutor
from threading import Event

import pytest

from softwood.grow.agenda import Agenda


@pytest.mark.parametrize("n_workers", [1, 2, 5])
def test_every_task_is_done_once(n_workers):
    agenda, done = Agenda(), []
    agenda.add([1])

    def work(_):
        for task in agenda.tasks():
            done.append(task)
            agenda.add([child for child in (2 * task, 2 * task + 1) if child < 200])

    with ThreadPoolExecutor(n_workers) as pool:
        list(pool.map(work, range(n_workers)))
    assert sorted(done) == list(range(1, 200))


def test_an_idle_worker_waits_for_one_that_may_add():
    agenda, started, done = Agenda(), Event(), []
    agenda.add(["first"])

    def busy(_):
        for task in agenda.tasks():
            if task == "first":
                started.set()
                assert not Event().wait(0.05)
                agenda.add(["second"])
            done.append(task)

    def idle(_):
        started.wait()
        done.extend(agenda.tasks())

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda work: work(0), (busy, idle)))
    assert sorted(done) == ["first", "second"]


def test_a_failure_ends_the_work_of_all():
    agenda = Agenda()
    agenda.add(list(range(100)))
    done = []

    def work(_):
        for task in agenda.tasks():
            if task == 90:
                raise RuntimeError("no more")
            done.append(task)

    with ThreadPoolExecutor(2) as pool:
        futures = [pool.submit(work, 0) for _ in range(2)]
    assert sum(isinstance(future.exception(), RuntimeError) for future in futures) == 1
    assert len(done) < 99
