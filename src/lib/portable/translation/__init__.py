"""Portable Python to JavaScript: the check and the translation are one thing, and refuse whatever they do not know."""

from lib.portable.translation.modules import Module, check, javascript, load, parts, program
from lib.portable.translation.refusal import OutsideSubset

__all__ = ["Module", "OutsideSubset", "check", "javascript", "load", "parts", "program"]
