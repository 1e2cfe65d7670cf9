"""An export in pandas. CIKs are text, since they begin with zeros; NA is a ticker, not a missing value.

    pip install pandas
    execcomp data export --format csv --out pay.csv
    python frames.py pay.csv
"""

import sys

import pandas as pd

rows = pd.read_csv(sys.argv[1], dtype={"cik": str, "ticker": str}, keep_default_na=False, na_values={"period_end": [""]})
apple = rows[(rows.cik == "0000320193") & (rows.fiscal_year >= 2023)]
ceo = apple[apple.is_peo].set_index("fiscal_year").total_compensation
cfo = apple[apple.is_pfo].groupby("fiscal_year").total_compensation.max()
print((ceo / cfo).round(2).to_dict())
