"""What public companies paid their named executive officers, from SEC proxy statements.

The executable inside does the work; this module finds it and reads what it exports.
"""

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
    # An install into a folder (pip install --target) has its scripts in `bin` beside the module.
    folders.append(os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "bin"))
    for folder in folders:
        path = os.path.join(folder, name)
        if os.path.isfile(path):
            return path
    raise FileNotFoundError("execcomp: the executable is not installed beside this module; install the package again")


def query(data_dir=None, **where):
    """The rows of the dataset as a pandas DataFrame.

    Each keyword is a column: equal to a value, or one of a list; with `_gte`, `_lte`, `_gt` or `_lt` behind it, compared.

    >>> execcomp.query(ticker=["AAPL", "MSFT"], fiscal_year_gte=2023, is_peo=True)
    """
    import pandas

    filters = [_condition(name, value) for name, value in where.items()]
    with tempfile.TemporaryDirectory(prefix="execcomp-") as folder:
        path = os.path.join(folder, "rows.parquet")
        command = [executable(), "data", "export", "--format", "parquet", "--out", path]
        if data_dir is not None:
            command += ["--data-dir", os.fspath(data_dir)]
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
        if done.returncode != 0:
            raise RuntimeError(done.stderr.strip())
        return pandas.read_parquet(path, engine="pyarrow", filters=filters or None)


def _condition(name, value):
    for suffix, comparison in _COMPARISONS.items():
        if name.endswith(suffix):
            return (name[: -len(suffix)], comparison, value)
    if isinstance(value, (list, tuple, set, frozenset)):
        return (name, "in", list(value))
    return (name, "==", value)
