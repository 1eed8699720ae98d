"""pydantic if it is installed, else its replacements, which are enough for grading."""

try:
    from pydantic import (
        BaseModel,
        BeforeValidator,
        ConfigDict,
        Field,
        SerializerFunctionWrapHandler,
        ValidationError,
        model_serializer,
        model_validator,
    )
except ImportError:
    from .plain_models import (  # type: ignore[assignment, no-redef]
        BaseModel,
        BeforeValidator,
        ConfigDict,
        Field,
        SerializerFunctionWrapHandler,
        ValidationError,
        model_serializer,
        model_validator,
    )

__all__ = [
    "BaseModel",
    "BeforeValidator",
    "ConfigDict",
    "Field",
    "SerializerFunctionWrapHandler",
    "ValidationError",
    "model_serializer",
    "model_validator",
]
