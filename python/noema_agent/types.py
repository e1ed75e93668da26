"""The types of what calls take and answer, as dictionaries. Generated from the OpenAPI document."""

from .gen.types import *  # noqa: F401, F403
