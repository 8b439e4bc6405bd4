"""Save a fitted model to a file and load it again."""

from __future__ import annotations

import operator
import os
import sys
from typing import Any

from softwood._files import PathLike, check_place, write_atomically
from softwood.errors import ModelFileError
from softwood.persist.container import MAX_BYTES, pack, read_content, unpack
from softwood.persist.format import VERSION, members_of
from softwood.persist.readers import READERS


def save(model: Any, path: PathLike) -> None:
    """Write a fitted model to a file.

    The file is a zip of JSON and plain arrays. It is written beside ``path`` and then
    put in its place, so ``path`` holds the old file or the new one, never half of it;
    and it has been read back once before it gets there. The same model always gives
    the same bytes.

    Parameters
    ----------
    model : estimator
        Any fitted softwood estimator.
    path : str or path-like
        Where to write; ``.softwood`` is the customary suffix. An existing file is
        replaced, and keeps its permissions; a pipe or device is written into.

    Raises
    ------
    TypeError
        If the model is not one of softwood's, or if a parameter holds something that
        JSON cannot: the message names the parameter.
    ValueError
        If the model is not fitted, or its parameters are not valid.
    OSError
        If nothing can be written there; what was there stays as it was.

    See Also
    --------
    load : Read the file.

    Notes
    -----
    A ``random_state`` that is a generator is written as None: the model is fitted, and
    nothing it can answer depends on it. So is a parameter that holds a model of another
    library, as :class:`SoftenedClassifier` may: what was softened is kept in full, and of
    the original nothing. Of an estimator of ours within another, class and parameters are
    kept. Numbers of numpy's own types, in parameters and categories, come back as
    Python's. Arrays keep their dtype.

    Examples
    --------
    >>> import tempfile, os
    >>> from softwood import CARTClassifier, load, save
    >>> model = CARTClassifier(max_depth=1).fit([[1.0], [2.0], [3.0]], ["a", "a", "b"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "model.softwood")
    ...     save(model, path)
    ...     same = load(path)
    >>> same.predict([[1.2], [2.9]]).tolist()
    ['a', 'b']
    """
    check_place(path)
    content = pack(members_of(model), VERSION)
    try:
        _read(content, sys.maxsize)
    except ModelFileError as error:
        raise ValueError(f"this {type(model).__name__} cannot be saved: {error}") from error
    write_atomically(path, content)


def load(path: PathLike, *, max_bytes: int = MAX_BYTES) -> Any:
    """Read a model that :func:`save` wrote.

    Everything in the file is checked before it is used, and nothing in it is ever
    executed, so a file from a stranger can do no harm. Predictions are those of the
    saved model, bit for bit.

    Parameters
    ----------
    path : str or path-like
        The file.
    max_bytes : int, default=2**32
        Most bytes that the file may unfold to. Sizes are looked at before memory is asked
        for; raise it for a model of yours that is larger.

    Returns
    -------
    estimator
        The fitted model.

    Raises
    ------
    ModelFileError
        If the file is not a model file, was damaged or edited, or was written by a
        later softwood in a format this one does not know.
    OSError
        If there is no such file, or it cannot be read.

    See Also
    --------
    save : Write the file, with an example.
    """
    if not 0 < operator.index(max_bytes) <= sys.maxsize:
        raise ValueError(f"max_bytes must be a positive number of bytes; got {max_bytes!r}")
    try:
        return _read(read_content(path, max_bytes), max_bytes)
    except ModelFileError as error:
        one_line = " ".join(str(error).split())
        raise ModelFileError(f"{os.fspath(path)}: {one_line}") from error


def _read(content: bytes, max_bytes: int) -> Any:
    try:
        version, members = unpack(content, VERSION, max_bytes)
        return READERS[version](members)
    except ModelFileError:
        raise
    except RecursionError as error:
        raise ModelFileError("the values are nested too deeply") from error
    except MemoryError as error:
        raise ModelFileError("there is not enough memory for what it holds") from error
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        # No value that we know of gets here; what a stranger thinks of must not either.
        raise ModelFileError(f"what it holds does not make a model: {error}") from error
