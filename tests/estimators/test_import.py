"""Importing the library changes nothing for anybody else in the process."""

import subprocess
import sys

WATCH = """
import sys, threading

seen, done = set(), threading.Event()

def watch():
    while not done.is_set():
        module = sys.modules.get("pandas")
        if module is not None and getattr(module, "__spec__", None) is None:
            seen.add("pandas")
        module = sys.modules.get("scipy.stats")
        if module is not None and getattr(module, "__spec__", None) is None:
            seen.add("scipy.stats")

sys.setswitchinterval(1e-5)
thread = threading.Thread(target=watch)
thread.start()
from softwood import C45Classifier
done.set()
thread.join()
assert not seen, seen
"""


def test_no_module_is_replaced_while_others_may_import_it():
    subprocess.run([sys.executable, "-c", WATCH], check=True, timeout=120)


def test_the_command_does_without_pandas():
    code = """
import sys
from importlib.machinery import PathFinder
find = PathFinder.find_spec
PathFinder.find_spec = lambda name, *rest: None if name == "pandas" else find(name, *rest)
from softwood.cli._lean_start import import_scikit_learn
import_scikit_learn()
import sklearn.utils.fixes
assert getattr(sklearn.utils.fixes, "pd", None) is None
"""
    subprocess.run([sys.executable, "-c", code], check=True, timeout=120)


def test_the_command_knows_the_version_of_what_it_has_not_imported():
    """The pandas of scikit-learn 1.6 is asked for it when it is imported."""
    code = """
import sys
from softwood.cli._lean_start import _deferred
with _deferred(("pandas",)):
    import pandas
    stated = pandas.__version__
import pandas
assert "DataFrame" in vars(pandas) and pandas.__version__ == stated
"""
    subprocess.run([sys.executable, "-c", code], check=True, timeout=120)


def test_the_command_imports_leanly():
    code = """
import sys
from softwood.cli._lean_start import import_scikit_learn
import_scikit_learn()
assert "sklearn.base" in sys.modules
assert "pandas" not in sys.modules and "scipy.stats" not in sys.modules
import pandas
assert pandas.DataFrame([[1]]).shape == (1, 1)
"""
    subprocess.run([sys.executable, "-c", code], check=True, timeout=120)
