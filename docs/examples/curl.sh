#!/bin/sh
# Executive pay with curl and jq. Run: EXECCOMP_KEY=… sh curl.sh
set -eu
url=${PAY_URL:-http://localhost:8402}

# The latest fiscal year of a company is free and needs no key.
curl -fsS "$url/t/AAPL/facts" | jq -r '.executive_compensation[] | [.fiscal_year, .executive_name, .total_compensation] | @tsv'

# Earlier years cost a credit. -f makes curl fail on an error; its body would say what was wrong.
curl -fsS -H "X-API-KEY: $EXECCOMP_KEY" "$url/api/executive-compensation?ticker=AAPL&fiscal_year_gte=2023" |
  jq '[.executive_compensation[] | select(.is_peo)] | map({(.fiscal_year | tostring): .total_compensation}) | add'

# Every chief executive of fiscal 2024 in energy, page by page: each page costs a credit.
cursor=
while :; do
  page=$(curl -fsS -G -H "X-API-KEY: $EXECCOMP_KEY" "$url/api/executive-compensation/query" \
    -d fiscal_year=2024 -d office=peo -d sector=energy -d max_rows=2 ${cursor:+--data-urlencode "cursor=$cursor"})
  echo "$page" | jq -r '.executive_compensation[] | [.ticker, .executive_name, .total_compensation] | @tsv'
  cursor=$(echo "$page" | jq -r '.next_cursor // empty')
  [ -n "$cursor" ] || break
done
