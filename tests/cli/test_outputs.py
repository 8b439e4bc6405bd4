"""What commands write: looked at first, never over an input, and wholly or not at all."""

import os
import stat
import threading

import numpy as np
import pytest

from softwood import _files, load
from softwood.cli import _honest, compare, demo, fit, soften
from softwood.cli._outputs import save_figure, solvers_to_stderr
from softwood.cli._scores import mean_and_error
from softwood.cli.main import main


@pytest.fixture
def data(tmp_path):
    path = tmp_path / "data.csv"
    path.write_text("x,y\n" + "".join(f"{i},{'no' if i < 10 else 'yes'}\n" for i in range(20)))
    return path


@pytest.fixture
def model(data, tmp_path, capsys):
    path = tmp_path / "m.softwood"
    assert main(["fit", str(data), "--target", "y", "--folds", "0", "-o", str(path)]) == 0
    capsys.readouterr()
    return path


def complaint(capsys, *arguments):
    assert main([str(argument) for argument in arguments]) == 2
    error = capsys.readouterr().err
    assert len(error.splitlines()) == 1
    return error


# -- inputs are not outputs ------------------------------------------------------------


@pytest.mark.parametrize("name", ["data.csv", "m.softwood", "link", "hard"])
def test_no_command_writes_over_what_it_reads(name, model, data, tmp_path, capsys):
    (tmp_path / "link").symlink_to(data)
    os.link(data, tmp_path / "hard")
    before = data.read_bytes(), model.read_bytes()
    output = tmp_path / name
    for command in (["predict", model, data], ["soften", model, data]):
        assert "is read as well" in complaint(capsys, *command, "-o", output)
    if name != "m.softwood":
        fitting = ["fit", data, "--target", "y", "-o", output]
        assert "is read as well" in complaint(capsys, *fitting)
        comparing = ["compare", data, "--target", "y", "--store", output]
        assert "is read as well" in complaint(capsys, *comparing)
    assert (data.read_bytes(), model.read_bytes()) == before


def test_files_beside_the_one_named_are_inputs_too(tmp_path, capsys):
    (tmp_path / "woods.names").write_text("fir, oak.\nheight: continuous.\n")
    (tmp_path / "woods.data").write_text("1, oak\n2, fir\n" * 5)
    fitting = ["fit", tmp_path / "woods.names", "--target", "class", "-o", tmp_path / "woods.data"]
    assert "is read as well" in complaint(capsys, *fitting)


def test_two_outputs_are_two_files(data, tmp_path, capsys):
    both = tmp_path / "both.csv"
    command = ["compare", data, "--target", "y", "--store", both, "-o", both]
    assert "named for two outputs" in complaint(capsys, *command)


# -- before the work, not after it --------------------------------------------------------


def never(*_, **__):
    pytest.fail("work was begun")


@pytest.mark.parametrize("place", ["nowhere/out", "folder"])
def test_the_place_is_looked_at_before_the_work(place, model, data, tmp_path, capsys, monkeypatch):
    (tmp_path / "folder").mkdir()
    output = tmp_path / place
    monkeypatch.setattr(fit, "training_of", never)
    monkeypatch.setattr(demo, "_breast_cancer", never)
    monkeypatch.setattr("softwood.persist.load", never)
    for command in (
        ["fit", data, "--target", "y"],
        ["predict", model, data],
        ["soften", model, data],
        ["demo"],
    ):
        error = complaint(capsys, *command, "-o", output)
        assert "there is no folder" in error or "not a folder" in error


@pytest.mark.parametrize(
    ("option", "words"),
    [
        (["-o", "{folder}/t.md"], "not a folder"),
        (["--plot", "{folder}/t.md"], "not a folder"),
        (["--plot", "{tmp}/none/t.png"], "there is no folder"),
        (["--plot", "{tmp}/t.oak"], "a picture must end in"),
        (["--store", "{tmp}/none/s.sqlite"], "there is no folder"),
    ],
)
def test_compare_looks_at_every_output_first(option, words, data, tmp_path, capsys, monkeypatch):
    pytest.importorskip("matplotlib")
    (tmp_path / "t.md").mkdir()
    monkeypatch.setattr(compare, "_datasets", never)
    option = [word.format(folder=tmp_path, tmp=tmp_path) for word in option]
    assert words in complaint(capsys, "compare", data, "--target", "y", *option)


# -- devices, pipes and full disks -----------------------------------------------------------


def test_a_pipe_gets_the_answers(model, data, tmp_path):
    pipe, read = tmp_path / "pipe", []
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: read.append(pipe.read_text()))
    reader.start()
    assert main(["predict", str(model), str(data), "-o", str(pipe)]) == 0
    reader.join(10)
    assert read[0].startswith("prediction\nno\n")
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_devices_are_not_replaced(model, data, tmp_path):
    null = tmp_path / "null"
    null.symlink_to(os.devnull)
    for command in (
        ["fit", str(data), "--target", "y", "--folds", "0"],
        ["predict", str(model), str(data)],
        ["soften", str(model), str(data), "--smoothing", "0.1", "--folds", "0"],
    ):
        assert main([*command, "-o", str(null)]) == 0
        assert main([*command, "-o", os.devnull]) == 0
    assert stat.S_ISCHR(os.stat(os.devnull).st_mode)
    assert null.is_symlink()


def test_a_full_disk_leaves_old_answers_alone(model, data, tmp_path, capsys, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    answers = tmp_path / "answers.csv"
    answers.write_text("old")
    monkeypatch.setattr(_files, "_write_all", full)
    assert "No space" in complaint(capsys, "predict", model, data, "-o", answers)
    assert "No space" in complaint(capsys, "fit", data, "--target", "y", "-o", model)
    assert answers.read_text() == "old"
    assert load(model).classes_.tolist() == ["no", "yes"]
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "answers.csv",
        "data.csv",
        "m.softwood",
    ]


def test_a_figure_that_cannot_be_drawn_leaves_the_old_one(tmp_path):
    class Figure:
        def savefig(self, file, **options):
            file.write(b"half")
            raise RuntimeError

    path = tmp_path / "figure.png"
    path.write_bytes(b"old")
    with pytest.raises(RuntimeError):
        save_figure(Figure(), path)
    assert path.read_bytes() == b"old"


@pytest.mark.parametrize("suffix", ["png", "PDF", "svg"])
def test_a_figure_has_the_format_of_its_name(suffix, tmp_path):
    figure = pytest.importorskip("matplotlib.figure").Figure()
    path = tmp_path / f"figure.{suffix}"
    save_figure(figure, path)
    begins = {"png": b"\x89PNG", "pdf": b"%PDF", "svg": b"<?xml"}[suffix.lower()]
    assert path.read_bytes().startswith(begins)


# -- small things ------------------------------------------------------------------------------


@pytest.mark.parametrize("command", ["fit", "soften"])
@pytest.mark.parametrize("folds", [1, -3])
def test_one_fold_is_not_silently_none(command, folds, model, data, capsys):
    rest = ["--target", "y"] if command == "fit" else [data]
    first = data if command == "fit" else model
    error = complaint(capsys, command, first, *rest, "--folds", folds)
    assert f"--folds must be 2 or more, or 0 for none; got {folds}" in error


def test_too_few_rows_for_folds_are_told(tmp_path, capsys):
    path = tmp_path / "one.csv"
    path.write_text("x,y\n1,no\n")
    assert main(["fit", str(path), "--target", "y", "--model", "cart-unpruned"]) == 0
    assert "1 rows are too few for folds" in capsys.readouterr().out


def test_without_arguments_there_is_help(capsys):
    assert main([]) == 0
    captured = capsys.readouterr()
    assert "predict" in captured.out
    assert captured.err == ""


def test_an_error_without_words_is_named(monkeypatch, data, capsys):
    def wordless(*_):
        raise ValueError

    monkeypatch.setattr(fit, "training_of", wordless)
    assert complaint(capsys, "fit", data, "--target", "y") == "softwood: ValueError\n"


def test_the_error_of_a_mean_is_that_of_a_sample(data, tmp_path, capsys, monkeypatch):
    scores = [0.1, 0.2, 0.6]
    error = np.std(scores, ddof=1) / np.sqrt(3)
    assert mean_and_error(scores) == f"0.3 ± {error:.2g}"
    assert soften.mean_and_error is _honest.mean_and_error is mean_and_error
    losses = iter([0.0, *scores])
    monkeypatch.setattr(_honest, "_loss", lambda *_: next(losses))
    assert main(["fit", str(data), "--target", "y", "--folds", "3"]) == 0
    assert f"cross-validated 0.3 ± {error:.2g} (" in capsys.readouterr().out


def test_what_compiled_libraries_print_goes_to_standard_error(capfd):
    with solvers_to_stderr():
        os.write(1, b"words of a solver\n")
    os.write(1, b"the answer\n")
    printed = capfd.readouterr()
    assert printed.out == "the answer\n"
    assert printed.err == "words of a solver\n"
