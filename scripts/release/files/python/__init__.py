"""What public companies paid their named executive officers, from SEC proxy statements.

The bundled executable does the work; this module finds it and reads its exports.
"""

import datetime
import difflib
import os
import subprocess
import sys
import sysconfig
import tempfile
import warnings

__all__ = ["Error", "UnknownValue", "ceo_pay", "companies", "executable", "query", "sql"]

_COMPARISONS = {"_gte": ">=", "_lte": "<=", "_gt": ">", "_lt": "<"}


def executable():
    """Path of the executable that this package installed."""
    name = "execcomp.exe" if os.name == "nt" else "execcomp"
    folders = [sysconfig.get_path("scripts"), os.path.dirname(sys.executable)]
    if os.name == "posix":
        folders.append(sysconfig.get_path("scripts", "posix_user"))
    # pip install --target puts scripts into `bin` next to the module.
    folders.append(os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "bin"))
    for folder in folders:
        path = os.path.join(folder, name)
        if os.path.isfile(path):
            return path
    raise Error("the executable of this package is missing; reinstall the package")


class Error(RuntimeError):
    """A value that cannot be used, or what the executable refused, in its own words."""


class UnknownValue(UserWarning):
    """No row has a ticker, a name or another text that was asked for."""


def query(*, data_dir=None, **where):
    """The rows of the dataset as a pandas DataFrame: amounts are floats, exact to the cent, dates are datetime64.

    Each keyword is a column that must equal a value, or one of a list; with the suffix `_gte`, `_lte`, `_gt` or `_lt` it is
    compared. A ticker may be in any spelling, a CIK without its zeros, a date a string such as "2025-01-31". A name that is no
    column, a value that the column cannot have and what the executable refuses raise `execcomp.Error`; a text that no row has is
    a warning.

    >>> execcomp.query(ticker=["AAPL", "MSFT"], fiscal_year_gte=2023, is_peo=True)
    """
    return _view("compensation", data_dir, where)


def ceo_pay(*, data_dir=None, **where):
    """CEO totals of the whole market, from rows and filers' tags, like `query`.

    >>> execcomp.ceo_pay(is_latest=True, peo_total_gte=50_000_000)
    """
    return _view("ceo_pay", data_dir, where)


def companies(*, data_dir=None, **where):
    """All known registrants, with or without rows, like `query`.

    >>> execcomp.companies(sector="energy", rows_gt=0)
    """
    return _view("companies", data_dir, where)


def sql(statement, data_dir=None):
    """The rows of one SELECT over the documented views as a pandas DataFrame.

    >>> execcomp.sql("SELECT fiscal_year, median(total_compensation) AS m FROM compensation WHERE is_peo GROUP BY 1")
    """
    return _table(["sql", "-", "--format", "parquet"], data_dir, statement).to_pandas()


def _view(view, data_dir, where):
    table = _table(["data", "export", "--format", "parquet", "--amounts", "double", "--view", view], data_dir)
    import pyarrow.parquet

    whole = table
    for name, given in where.items():
        column, comparison, value = _condition(table.schema, name, given)
        if comparison in ("==", "in") and pyarrow.types.is_string(table.schema.field(column).type):
            pairs = zip(value, given) if comparison == "in" else [(value, given)]
            _warn_of_unknown(column, pairs, set(whole[column].to_pylist()))
        if comparison == "in" and not value:
            table = table.slice(0, 0)
            continue
        table = table.filter(pyarrow.parquet.filters_to_expression([(column, comparison, value)]))
    return table.to_pandas(date_as_object=False)


def _warn_of_unknown(column, pairs, held):
    unknown = ", ".join(repr(given) for value, given in pairs if value not in held)
    if unknown:
        hint = f"; there are {', '.join(sorted(filter(None, held)))}" if len(held) < 20 else ""
        if column == "ticker":
            hint = "; a company's rows have its primary symbol (execcomp.companies() lists all)"
        warnings.warn(f"no rows with {column} {unknown}{hint}", UnknownValue, stacklevel=4)


def _table(words, data_dir, text=None):
    """What a command writes as Parquet."""
    try:
        import pandas
        import pyarrow.parquet
    except ImportError as missing:
        raise Error(f"{missing.name} is missing: pip install pandas pyarrow") from missing

    if text is not None and not isinstance(text, str):
        raise Error(f"a statement is text, not {text!r}")
    if data_dir is not None and not (isinstance(data_dir, (str, os.PathLike)) and os.path.isdir(data_dir)):
        raise Error(f"there is no folder {data_dir!r}")

    with tempfile.TemporaryDirectory(prefix="execcomp-") as folder:
        path = os.path.join(folder, "rows.parquet")
        command = [executable(), *words, "--out", path]
        if data_dir is not None:
            command += ["--data-dir", os.fspath(data_dir)]
        done = subprocess.run(command, input=text or "", capture_output=True, text=True)
        if done.returncode != 0:
            raise Error(done.stderr.strip())
        return pyarrow.parquet.read_table(path)


def _condition(schema, name, value):
    for suffix, comparison in _COMPARISONS.items():
        if name.endswith(suffix):
            column = name[: -len(suffix)]
            return (column, comparison, _typed(schema, column, value))
    if isinstance(value, (list, tuple, set, frozenset)):
        return (name, "in", [_typed(schema, name, one) for one in value])
    return (name, "==", _typed(schema, name, value))


def _typed(schema, column, value):
    """The value as the column has it: a date may be given as text, a ticker and a CIK in any spelling."""
    import pyarrow

    if column not in schema.names:
        near = difflib.get_close_matches(column, schema.names, 1)
        hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(schema.names)}"
        raise Error(f"no column {column!r}; {hint}")
    kind = schema.field(column).type
    if column == "ticker" and isinstance(value, str):
        return value.strip().upper().replace(".", "-").replace("/", "-")
    if column == "cik" and isinstance(value, (str, int)):
        return str(value).strip().upper().removeprefix("CIK").zfill(10)
    try:
        if isinstance(value, str) and pyarrow.types.is_date(kind):
            value = datetime.date.fromisoformat(value)
        typed = pyarrow.scalar(value, type=kind).as_py()
        # Half a year would be cut to a whole one.
        typed = None if pyarrow.types.is_integer(kind) and typed != value else typed
    except (pyarrow.ArrowException, TypeError, ValueError, OverflowError):
        typed = None
    if typed is None:
        raise Error(f"{column} cannot be {value!r}: it is of type {kind}")
    return typed
