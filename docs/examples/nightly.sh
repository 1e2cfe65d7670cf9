#!/bin/sh
# A nightly job: reads new filings of some companies from EDGAR and exports the result. In cron:
#   15 3 * * *  EXECCOMP_CONTACT="Example Inc data@example.com" /opt/execcomp/nightly.sh AAPL,MSFT /srv/pay >>/var/log/pay.log 2>&1
# A server that runs on the same data folder switches to the new dataset by itself.
set -u
tickers=$1
folder=$2

execcomp ingest --ticker "$tickers"
code=$?
case $code in
  0) ;;
  3) echo "some filings could not be read; they are told above, and the others are in" ;;
  *) exit $code ;;
esac

execcomp data verify || exit
mkdir -p "$folder"
# A new file takes the place of the old one at once.
execcomp data export --format parquet --out "$folder/pay.parquet.new" && mv "$folder/pay.parquet.new" "$folder/pay.parquet"
