"""A client of Noema: observe, learn, ask what comes next, and how unusual what came is.

>>> from noema_agent import connect
>>> p1 = connect().processor("P1")
>>> p1.observe({"strings": ["hello"]})
"""

from . import types
from .chart import Chart, plot
from .client import Memory, Noema, ObservedRecords, Processor, Session, connect
from .errors import (
    FailedError,
    MissingPackageError,
    MissingRoleError,
    NoAnswerError,
    NoemaError,
    NotFoundError,
    OldServerError,
    OverloadedError,
    RefusedError,
    ServerError,
    TrainingError,
    WrongKeyError,
)
from .training import TrainingResult, sequences
from .transfer import Download
from .version import VERSION as __version__

__all__ = [
    "Chart",
    "Download",
    "FailedError",
    "Memory",
    "MissingPackageError",
    "MissingRoleError",
    "NoAnswerError",
    "Noema",
    "NoemaError",
    "NotFoundError",
    "ObservedRecords",
    "OldServerError",
    "OverloadedError",
    "Processor",
    "RefusedError",
    "ServerError",
    "Session",
    "TrainingError",
    "TrainingResult",
    "WrongKeyError",
    "__version__",
    "connect",
    "plot",
    "sequences",
    "types",
]
