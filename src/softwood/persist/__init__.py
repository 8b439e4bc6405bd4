"""Model files: arrays and JSON in a zip, checked when read, and never pickle."""

from softwood.persist.files import load, save

__all__ = ["load", "save"]
