"""The few exceptions and warnings of our own; users' mistakes are ValueError or TypeError."""


class SoftwoodError(Exception):
    """Base of every exception that only softwood raises."""


class MalformedTreeError(SoftwoodError, ValueError):
    """The arrays handed to :class:`softwood.tree.Tree` do not form a tree."""


class ModelFileError(SoftwoodError, ValueError):
    """A model file is truncated, edited, or of a version that cannot be read."""


class DatasetError(SoftwoodError, ValueError):
    """A data set is unknown, damaged, or not to be had from here."""


class StoreError(SoftwoodError, ValueError):
    """A results store cannot be opened, read or written."""


class NoCounterfactualError(SoftwoodError, ValueError):
    """No row that is allowed has the answer that was asked for, or none was found."""


class MissingExtraError(SoftwoodError, ImportError):
    """An optional dependency is not installed."""


class TableWarning(UserWarning):
    """Base of what is to be said about a table that can be read all the same."""


class UnknownCategoryWarning(TableWarning):
    """A table holds categories that were not seen in training."""


class DateWarning(TableWarning):
    """A column of text was taken for dates, and became numbers."""


class IdentifierWarning(TableWarning):
    """A nominal column has so many categories that it looks like an identifier."""


class UntestedColumnWarning(TableWarning):
    """A nominal column of many categories tells no more than chance: no node tests it."""


def missing_extra(package: str, extra: str) -> MissingExtraError:
    """Return the error to raise when ``package``, of the extra ``extra``, is absent."""
    return MissingExtraError(
        f"this needs the package {package!r}, which is not installed; "
        f"install it with: pip install 'softwood[{extra}]'"
    )
