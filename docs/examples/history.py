"""The chief executives of a sector with `requests`: waits when it is told to, and follows the pages of a query.

    pip install requests
    EXECCOMP_KEY=… python history.py energy
"""

import os
import sys

import requests
from requests.adapters import HTTPAdapter
from urllib3.util import Retry

BASE = os.environ.get("PAY_URL", "http://localhost:8402") + "/api/executive-compensation"

session = requests.Session()
session.headers["X-API-KEY"] = os.environ["EXECCOMP_KEY"]
# 429 and 503 say in Retry-After how long to wait; a request only reads, so it may be repeated.
for scheme in ("http://", "https://"):
    session.mount(scheme, HTTPAdapter(max_retries=Retry(total=5, status_forcelist=[429, 503])))


def rows(**parameters):
    """Each row of a query, page after page."""
    while True:
        answer = session.get(f"{BASE}/query", params=parameters, timeout=30)
        if not answer.ok:
            sys.exit(f"{answer.status_code}: {answer.json()['message']}")
        page = answer.json()
        yield from page["executive_compensation"]
        if page["next_cursor"] is None:
            return
        parameters["cursor"] = page["next_cursor"]


for row in rows(fiscal_year=2024, office="peo", sector=sys.argv[1], sort="-total_compensation", max_rows=2):
    print(row["ticker"], row["executive_name"], f"{row['total_compensation']:,}", row["source"]["accession"])
