"""What a call says when an option bears the name that another library gives it."""

import functools
import inspect
from collections.abc import Callable
from typing import Any, TypeVar, cast

from minigrad.core.errors import UsageError

F = TypeVar("F", bound=Callable[..., Any])

MEANT = {"dim": "axis", "dims": "axis", "keepdim": "keepdims", "axes": "axis", "min": "low",
         "max": "high", "a_min": "low", "a_max": "high"}
ELSEWHERE = {
    "dtype": "cast the result: .astype(dtype)",
    "out": "take the result that is returned",
    "where": "choose entries with mg.where first",
    "correction": "write ddof=1 for the unbiased variance",
    "unbiased": "write ddof=1 for the unbiased variance",
}


def strict(function: F) -> F:
    """The function, which says what to write in place of an option that it does not know."""
    known = list(inspect.signature(function).parameters)

    @functools.wraps(function)
    def call(*arguments: Any, **options: Any) -> Any:
        try:
            return function(*arguments, **options)
        except TypeError:
            unknown = [name for name in options if name not in known]
            if not unknown:
                raise
        raise unknown_option(function.__name__, unknown[0], known)
    return cast(F, call)


def unknown_option(function: str, option: str, known: list[str]) -> UsageError:
    """The error for an option of this name, with the one that was probably meant."""
    hint = ELSEWHERE.get(option, f"it takes {', '.join(known)}")
    if MEANT.get(option) in known:
        hint = f"write {MEANT[option]}="
    return UsageError(f"{function}() has no option {option}=", hint)
