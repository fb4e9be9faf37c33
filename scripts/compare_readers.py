#!/usr/bin/env python3
"""Compares what other programs compute with an imported database to what Python computes exactly from the JSON.

Usage: scripts/compare_readers.py TRIBUTARY      (scripts/compare-imports --readers calls it)

Sums and averages of every column of numbers are taken by SQLite, sqlite-utils, datasette, pandas and DuckDB's reader of
SQLite files, as many as this Python has, and compared with sums of fractions, which round nothing. Each difference has
to be within what adding doubles one by one may lose. DuckDB reads SQLite through an extension, which PyPI has as well:

    pip install sqlite-utils datasette pandas duckdb==1.5.5 duckdb-extensions duckdb-extension-sqlite-scanner
"""
import importlib.util
import json
import os
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from fractions import Fraction

TABLE = "orders"
ROWS = 50_000


def records():
    """Orders whose columns try what a wrong declaration would spoil: late decimals, booleans, gaps, and large numbers."""
    draw = random.Random(6)
    for place in range(ROWS):
        record = {
            "id": place + 1,
            "amount": round(draw.uniform(-1e4, 1e4), 2),
            "quantity": draw.randrange(-50, 1000),
            "paid": draw.random() < 0.7,
            # Whole numbers for longer than the first chunk, decimals after it: the column is widened within the run.
            "weight": draw.randrange(1, 90) if place < ROWS * 3 // 4 else draw.uniform(0, 90),
            # Beyond what a double holds, but few, so that SQLite's sum of whole numbers does not overflow.
            "large": draw.randrange(2**53, 2**54) if place % 200 == 0 else place,
            "measured": draw.uniform(-1, 1) * 10.0 ** draw.randrange(-12, 12),
            "whole": float(draw.randrange(100)),
            "note": draw.choice(["rivière", "stone", "007"]),
        }
        if draw.random() < 0.3:
            record["discount"] = draw.choice([None, 0, 0.5, draw.random()])
        yield record


def exact(values):
    """The sum of the column, its average, and what adding its values as doubles one by one may lose."""
    numbers = [Fraction(int(value) if isinstance(value, bool) else value) for value in values if value is not None]
    total = sum(numbers)
    allowed = len(numbers) * Fraction(1, 2**53) * sum(map(abs, numbers))
    return total, total / len(numbers), allowed, len(numbers)


def query(columns):
    chosen = ", ".join(f'sum("{name}") AS "s_{name}", avg("{name}") AS "a_{name}"' for name in columns)
    return f"SELECT {chosen} FROM {TABLE}"


def from_row(row, columns):
    return {name: (row[f"s_{name}"], row[f"a_{name}"]) for name in columns}


def by_sqlite(database, columns):
    with sqlite3.connect(f"file:{database}?mode=ro", uri=True) as connection:
        connection.row_factory = sqlite3.Row
        return from_row(connection.execute(query(columns)).fetchone(), columns)


def by_program(*words):
    found = json.loads(subprocess.run(words, check=True, stdout=subprocess.PIPE, text=True).stdout)
    return found[0]


def beside(name):
    return os.path.join(os.path.dirname(sys.executable), name)


def by_sqlite_utils(database, columns):
    return from_row(by_program(beside("sqlite-utils"), "query", database, query(columns)), columns)


def by_datasette(database, columns):
    from urllib.parse import quote
    name = os.path.splitext(os.path.basename(database))[0]
    return from_row(by_program(beside("datasette"), database, "--setting", "sql_time_limit_ms", "60000", "--get",
                               f"/{name}.json?_shape=array&sql={quote(query(columns))}"), columns)


def by_pandas(database, columns):
    import pandas
    with sqlite3.connect(database) as connection:
        frame = pandas.read_sql(f"SELECT * FROM {TABLE}", connection)
    for name in columns:
        if frame[name].dtype.kind not in "iufb":
            raise SystemExit(f"pandas reads {name} as {frame[name].dtype}, with which it does not compute")
    # pandas adds int64 without a look at overflow; the sums here stay below 2^63.
    return {name: (frame[name].sum().item(), frame[name].mean().item()) for name in columns}


def by_duckdb(database, columns):
    import duckdb
    if importlib.util.find_spec("duckdb_extensions"):
        from duckdb_extensions import import_extension
        import_extension("sqlite_scanner")
    connection = duckdb.connect()
    connection.execute("LOAD sqlite_scanner")
    cursor = connection.execute(query(columns).replace(f"FROM {TABLE}", f"FROM sqlite_scan('{database}', '{TABLE}')"))
    return from_row(dict(zip([column[0] for column in cursor.description], cursor.fetchone())), columns)


READERS = [("SQLite", None, by_sqlite), ("sqlite-utils", "sqlite_utils", by_sqlite_utils),
           ("datasette", "datasette", by_datasette), ("pandas", "pandas", by_pandas), ("DuckDB", "duckdb", by_duckdb)]


def compare(program, folder):
    source, database = os.path.join(folder, "orders.json"), os.path.join(folder, "orders.sqlite")
    orders = list(records())
    with open(source, "w", encoding="utf-8") as file:
        json.dump({"exported": "2026-01-01", TABLE: orders}, file)
    subprocess.run([program, "import", database, source, "--key", "id"], check=True, stdout=subprocess.DEVNULL)
    columns = [name for name, value in orders[0].items() if name != "note"] + ["discount"]
    truth = {name: exact([order.get(name) for order in orders]) for name in columns}
    failures, compared = [], []
    for name, module, read in READERS:
        if module and not importlib.util.find_spec(module):
            print(f"{name}: not installed, left out")
            continue
        worst = 0.0
        for column, (total, average) in read(database, columns).items():
            exact_total, exact_average, allowed, count = truth[column]
            for what, value, right, slack in (("sum", total, exact_total, allowed),
                                              ("average", average, exact_average, allowed / count)):
                # The result itself is rounded to a double, or twice for an average.
                distance = abs(Fraction(value) - right)
                if distance > slack + abs(right) * Fraction(1, 2**52):
                    failures.append(f"{name}: {what} of {column} is {value!r}, exactly {float(right)!r}")
                if right:
                    worst = max(worst, float(distance / abs(right)))
        compared.append(name)
        print(f"{name}: {2 * len(columns)} sums and averages of {len(orders)} rows, the largest relative difference {worst:.1e}")
    for failure in failures:
        print(failure)
    return not failures and len(compared) > 0


def main():
    if len(sys.argv) != 2 or not shutil.which(sys.argv[1]):
        raise SystemExit(__doc__)
    with tempfile.TemporaryDirectory() as folder:
        if not compare(sys.argv[1], folder):
            raise SystemExit(1)
    print("equal within double precision")


if __name__ == "__main__":
    main()
