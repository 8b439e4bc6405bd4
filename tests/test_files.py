"""The one door for all files that are written: whole or not at all, and never over a device."""

import errno
import os
import resource
import signal
import stat
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from softwood import _files
from softwood._files import UNFINISHED, check_place, is_stream, write_atomically

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="devices and modes of Unix")


def names(folder):
    return sorted(path.name for path in folder.iterdir())


# -- whole or not at all -------------------------------------------------------------


def test_a_file_is_written_and_nothing_is_left_beside_it(tmp_path):
    path = tmp_path / "out"
    write_atomically(path, b"old")
    write_atomically(path, b"new")
    assert path.read_bytes() == b"new"
    assert names(tmp_path) == ["out"]


def full(*_):
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@pytest.mark.parametrize("step", ["_write_all", "_take_after", "fsync", "replace"])
def test_a_full_disk_leaves_the_old_file(step, tmp_path, monkeypatch):
    path = tmp_path / "out"
    path.write_bytes(b"old")
    monkeypatch.setattr(_files if step.startswith("_") else _files.os, step, full)
    with pytest.raises(OSError, match="No space"):
        write_atomically(path, b"new")
    assert path.read_bytes() == b"old"
    assert names(tmp_path) == ["out"]


def test_a_limit_on_the_size_of_files_leaves_the_old_file(tmp_path):
    path = tmp_path / "out"
    path.write_bytes(b"old")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, before[1]))
    try:
        with pytest.raises(OSError, match="File too large"):
            write_atomically(path, bytes(5000))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert path.read_bytes() == b"old"
    assert names(tmp_path) == ["out"]


def test_an_interrupt_leaves_the_old_file(tmp_path, monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    (tmp_path / "out").write_bytes(b"old")
    monkeypatch.setattr(_files.os, "fsync", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_atomically(tmp_path / "out", b"new")
    assert (tmp_path / "out").read_bytes() == b"old"
    assert names(tmp_path) == ["out"]


# -- what was there -------------------------------------------------------------------


@pytest.mark.parametrize("mode", [0o600, 0o644, 0o755, 0o666])
def test_the_mode_of_a_file_is_kept(mode, tmp_path):
    path = tmp_path / "out"
    path.write_bytes(b"old")
    path.chmod(mode)
    write_atomically(path, b"new")
    assert stat.S_IMODE(path.stat().st_mode) == mode


@pytest.mark.parametrize("mask", [0o022, 0o077, 0o000])
def test_a_new_file_goes_by_the_umask(mask, tmp_path):
    before = os.umask(mask)
    try:
        write_atomically(tmp_path / "out", b"new")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "out").stat().st_mode) == 0o666 & ~mask


@pytest.mark.skipif(os.getuid() != 0, reason="only the administrator gives files away")
def test_the_owner_of_a_file_is_kept(tmp_path):
    path = tmp_path / "out"
    path.write_bytes(b"old")
    os.chown(path, 1234, 1235)
    write_atomically(path, b"new")
    assert (path.stat().st_uid, path.stat().st_gid) == (1234, 1235)


def test_links_are_followed_also_to_what_is_not_there_yet(tmp_path):
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to("folder/there")
    (tmp_path / "second").symlink_to("link")
    write_atomically(tmp_path / "second", b"new")
    assert (tmp_path / "folder/there").read_bytes() == b"new"
    assert (tmp_path / "second").is_symlink()
    assert names(tmp_path / "folder") == ["there"]


def test_other_names_of_a_file_keep_the_old_content(tmp_path):
    (tmp_path / "out").write_bytes(b"old")
    os.link(tmp_path / "out", tmp_path / "other")
    write_atomically(tmp_path / "out", b"new")
    assert (tmp_path / "other").read_bytes() == b"old"


# -- what is no file ------------------------------------------------------------------


def test_a_pipe_is_written_into_and_stays_one(tmp_path):
    path = tmp_path / "pipe"
    os.mkfifo(path)
    read = []
    reader = threading.Thread(target=lambda: read.append(path.read_bytes()))
    reader.start()
    write_atomically(path, b"new" * 100_000)
    reader.join(10)
    assert read == [b"new" * 100_000]
    assert stat.S_ISFIFO(path.stat().st_mode)


@pytest.mark.skipif(os.getuid() != 0, reason="only the administrator makes devices")
def test_a_device_is_written_into_and_stays_one(tmp_path):
    path = tmp_path / "null"
    try:
        os.mknod(path, stat.S_IFCHR | 0o666, os.makedev(1, 3))
        path.write_bytes(b"x")
    except OSError:
        pytest.skip("devices are not allowed here")
    write_atomically(path, b"new")
    assert stat.S_ISCHR(path.stat().st_mode)
    assert is_stream(path)


def test_the_null_device_is_written_into(tmp_path):
    (tmp_path / "link").symlink_to("/dev/null")
    write_atomically(tmp_path / "link", b"new")
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)
    assert (tmp_path / "link").is_symlink()


PRINT = """
from softwood._files import write_atomically
print("before")
write_atomically({path!r}, b"content\\n")
print("after")
"""


@pytest.mark.parametrize("path", ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"])
@pytest.mark.parametrize("where", ["pipe", "file"])
def test_standard_output_gets_it_in_its_turn(path, where, tmp_path):
    if not os.path.exists(path):
        pytest.skip("there is no such name here")
    command = [sys.executable, "-c", PRINT.format(path=path)]
    if where == "pipe":
        got = subprocess.run(command, capture_output=True, check=True).stdout
    else:
        with open(tmp_path / "out", "wb") as file:
            subprocess.run(command, stdout=file, check=True)
        got = (tmp_path / "out").read_bytes()
    assert got == b"before\ncontent\nafter\n"


def test_a_socket_is_refused(tmp_path, monkeypatch):
    import socket

    monkeypatch.chdir(tmp_path)  # names of sockets are short
    with socket.socket(socket.AF_UNIX) as one:
        one.bind("socket")
        with pytest.raises(OSError, match="not a device or a socket"):
            write_atomically("socket", b"new")
    assert stat.S_ISSOCK(os.stat("socket").st_mode)


def test_streams_are_refused_where_a_file_is_needed(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", "/dev/null", "/dev/stdout"):
        with pytest.raises(OSError, match="must be a file"):
            check_place(path, streams=False)


# -- the place is checked first ---------------------------------------------------------


def test_places_that_will_not_do_are_refused(tmp_path):
    (tmp_path / "file").write_bytes(b"old")
    (tmp_path / "loop").symlink_to("loop")
    for check in (check_place, lambda path: write_atomically(path, b"new")):
        for path in (tmp_path, ""):
            with pytest.raises(IsADirectoryError, match="not a folder"):
                check(path)
        with pytest.raises(FileNotFoundError, match=r"there is no folder .*nowhere"):
            check(tmp_path / "nowhere" / "out")
        with pytest.raises(FileNotFoundError, match=r"there is no folder .*file"):
            check(tmp_path / "file" / "out")
        with pytest.raises(OSError, match="symbolic links"):
            check(tmp_path / "loop")
        with pytest.raises(OSError, match="too long"):
            check(tmp_path / ("x" * 300))
    assert (tmp_path / "file").read_bytes() == b"old"


@pytest.mark.parametrize("protected", ["file", "folder"])
def test_what_must_not_be_written_is_refused(protected, tmp_path, monkeypatch):
    path = tmp_path / "out"
    path.write_bytes(b"old")
    forbidden = path if protected == "file" else tmp_path
    # The administrator, who may run this, may write anywhere.
    monkeypatch.setattr(_files.os, "access", lambda place, mode: Path(place) != forbidden)
    with pytest.raises(PermissionError, match="no permission"):
        write_atomically(path, b"new")
    assert path.read_bytes() == b"old"


def test_an_input_is_not_written_under_whatever_name(tmp_path):
    data = tmp_path / "data.csv"
    data.write_bytes(b"rows")
    (tmp_path / "link").symlink_to(data)
    os.link(data, tmp_path / "hard")
    for path in (data, tmp_path / "link", tmp_path / "hard", tmp_path / "." / "data.csv"):
        with pytest.raises(ValueError, match=r"is read as well \(.*data.csv\)"):
            check_place(path, [tmp_path / "absent", data])
    check_place(tmp_path / "other", [data])
    check_place("/dev/null", ["/dev/null"])  # nothing is lost there


# -- writers who died, and those who have not -------------------------------------------

DIE = """
import os, signal, sys
from softwood import _files
_files.os.fsync = lambda number: os.kill(os.getpid(), signal.SIGKILL)
_files.write_atomically(sys.argv[1], b"half")
"""


def killed(path):
    done = subprocess.run([sys.executable, "-c", DIE, path], check=False)
    assert done.returncode == -signal.SIGKILL


def test_a_killed_writer_leaves_one_file_which_the_next_removes(tmp_path):
    path = tmp_path / "model.softwood"
    path.write_bytes(b"old")
    for _ in range(2):
        killed(path)
        left = [name for name in names(tmp_path) if name != path.name]
        assert len(left) == 1
        assert left[0].startswith(".model.softwood.")
        assert left[0].endswith(UNFINISHED)
        assert path.read_bytes() == b"old"
    write_atomically(path, b"new")
    assert names(tmp_path) == [path.name]


def test_what_others_have_left_stays(tmp_path):
    left = [".other.12-0011aabb" + UNFINISHED, ".out.backup" + UNFINISHED, ".out.1-00112233.tmp"]
    for name in left:
        (tmp_path / name).write_bytes(b"")
    write_atomically(tmp_path / "out", b"new")
    assert names(tmp_path) == sorted([*left, "out"])


def test_a_long_name_has_room_for_what_is_unfinished(tmp_path):
    path = tmp_path / ("é" * 127)
    killed(path)
    assert len(names(tmp_path)) == 1
    write_atomically(path, b"new")
    assert names(tmp_path) == [path.name]


def test_a_writer_at_work_is_left_alone(tmp_path, monkeypatch):
    path = tmp_path / "out"
    fsync = os.fsync
    inside = []

    def slow(number):
        if not inside:
            inside.append(True)
            write_atomically(path, b"second")  # while the first is still at it
            assert len(names(tmp_path)) == 2
        fsync(number)

    monkeypatch.setattr(_files.os, "fsync", slow)
    write_atomically(path, b"first")
    assert path.read_bytes() == b"first"
    assert names(tmp_path) == ["out"]


def test_a_file_that_is_removed_before_it_is_locked_is_begun_again(tmp_path, monkeypatch):
    lock, removed = _files._lock, []

    def late(file, wait=True):
        if not removed:
            removed.append(True)
            Path(file.name).unlink()
        return lock(file, wait)

    monkeypatch.setattr(_files, "_lock", late)
    write_atomically(tmp_path / "out", b"new")
    assert names(tmp_path) == ["out"]


def test_many_writers_at_once_leave_one_whole_file(tmp_path):
    path, stop = tmp_path / "out", time.monotonic() + 1.0
    failures = []

    def write(k):
        while time.monotonic() < stop:
            try:
                write_atomically(path, bytes([k]) * 5000)
            except BaseException as error:
                failures.append(error)
                return

    threads = [threading.Thread(target=write, args=(k,)) for k in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    content = path.read_bytes()
    assert failures == []
    assert len(set(content)) == 1
    assert len(content) == 5000
    assert names(tmp_path) == ["out"]
