"""What transpile raises and warns. Every error has a stable code, and says what, where, why, and what to do."""

from transpile.runtime.errors import (
    ConversionError,
    DeviceError,
    FallbackWarning,
    RetraceWarning,
    SignatureError,
    StagingError,
    TranspileError,
)

__all__ = [
    "ConversionError",
    "DeviceError",
    "FallbackWarning",
    "RetraceWarning",
    "SignatureError",
    "StagingError",
    "TranspileError",
]
