"""Parameters of models as users type them: ``-p max_depth=5``."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from difflib import get_close_matches
from typing import Any


def parameters(words: Iterable[str]) -> dict[str, Any]:
    """Return names and values; a value that Python cannot read is text.

    Examples
    --------
    >>> from softwood.cli._parameters import parameters
    >>> parameters(["max_depth=5", "criterion=entropy", "alpha_range=(0, 0.3)"])
    {'max_depth': 5, 'criterion': 'entropy', 'alpha_range': (0, 0.3)}
    """
    found: dict[str, Any] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals or not name.strip():
            raise ValueError(f"-p takes name=value, such as max_depth=5; got {word!r}")
        found[name.strip()] = _value(value.strip())
    return found


def _value(text: str) -> Any:
    words = {"true": True, "false": False, "none": None}
    if text.lower() in words:
        return words[text.lower()]
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return text


def set_parameters(estimator: Any, words: Iterable[str]) -> Any:
    """Return the estimator with the parameters that are asked for."""
    known = estimator.get_params(deep=True)
    for name, value in parameters(words).items():
        if name not in known:
            close = get_close_matches(name, known, n=1)
            plain = [each for each in known if "__" not in each]
            hint = f"did you mean {close[0]!r}?" if close else f"there are {', '.join(plain)}"
            raise ValueError(f"{type(estimator).__name__} has no parameter {name!r}; {hint}")
        estimator.set_params(**{name: value})
    return estimator
