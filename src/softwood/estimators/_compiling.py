"""Fitted models, made ready for one row at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from softwood.estimators._sklearn_compat import check_is_fitted

if TYPE_CHECKING:
    from softwood.export.compiled import Compiled


class Compiles:
    """What every estimator can be made into."""

    def compile(self) -> Compiled:
        """Return a callable that answers one row, or a few, without delay.

        Returns
        -------
        Compiled
            Called with a row, it returns what ``predict_proba`` returns for it, to the last bit,
            or the number predicted; its ``predict`` returns the class. It keeps what the model is
            now: later fits do not change it. See :func:`softwood.export.compile_model`.

        Examples
        --------
        >>> import numpy as np
        >>> from softwood import CARTClassifier
        >>> answer = CARTClassifier().fit([[1.0], [2.0]], ["no", "yes"]).compile()
        >>> print(answer(np.array([1.2])), answer.predict(np.array([1.2])))
        [1. 0.] no
        """
        from softwood.export.compiled import compile_model

        check_is_fitted(self)
        return compile_model(self)
