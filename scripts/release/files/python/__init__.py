"""What public companies paid their named executive officers, from SEC proxy statements.

The bundled executable does the work; this module finds it and reads its exports.
"""

import datetime
import os
import subprocess
import sys
import sysconfig
import tempfile

__all__ = ["executable", "query"]

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
    raise FileNotFoundError("execcomp: the executable of this package is missing; reinstall the package")


def query(data_dir=None, **where):
    """The rows of the dataset as a pandas DataFrame: amounts are floats, exact to the cent, dates are datetime64.

    Each keyword is a column that must equal a value, or one of a list; with the suffix `_gte`, `_lte`, `_gt` or `_lt` it is
    compared. A date may be a string such as "2025-01-31".

    >>> execcomp.query(ticker=["AAPL", "MSFT"], fiscal_year_gte=2023, is_peo=True)
    """
    import pyarrow
    import pyarrow.parquet

    with tempfile.TemporaryDirectory(prefix="execcomp-") as folder:
        path = os.path.join(folder, "rows.parquet")
        command = [executable(), "data", "export", "--format", "parquet", "--out", path]
        if data_dir is not None:
            command += ["--data-dir", os.fspath(data_dir)]
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
        if done.returncode != 0:
            raise RuntimeError(done.stderr.strip())
        table = pyarrow.parquet.read_table(path)
    # pandas has no decimal type: the column would hold Python objects, which are slow to compute with.
    schema = pyarrow.schema(
        [field.with_type(pyarrow.float64()) if pyarrow.types.is_decimal(field.type) else field for field in table.schema]
    )
    table = table.cast(schema)
    filters = [_condition(schema, name, value) for name, value in where.items()]
    if filters:
        table = table.filter(pyarrow.parquet.filters_to_expression(filters))
    return table.to_pandas(date_as_object=False)


def _condition(schema, name, value):
    for suffix, comparison in _COMPARISONS.items():
        if name.endswith(suffix):
            column = name[: -len(suffix)]
            return (column, comparison, _typed(schema, column, value))
    if isinstance(value, (list, tuple, set, frozenset)):
        return (name, "in", [_typed(schema, name, one) for one in value])
    return (name, "==", _typed(schema, name, value))


def _typed(schema, column, value):
    """The value as the column has it: a date may be given as text."""
    if column not in schema.names:
        raise KeyError(f"no column {column!r}; there are {', '.join(schema.names)}")
    if isinstance(value, str) and "date" in str(schema.field(column).type):
        return datetime.date.fromisoformat(value)
    return value
