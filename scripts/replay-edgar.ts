/**
 * EDGAR on loopback, for trying `execcomp ingest` without a network: `bun scripts/replay-edgar.ts` serves
 * the recorded answers and filings beside the checkout until it is stopped, and prints the flags that point a command at it.
 */
import { startReplay } from "../test/support/edgar.ts";
import { NO_SHARED, sharedCorpus } from "../test/support/edgar-shared.ts";

if (NO_SHARED !== null) {
  console.error(NO_SHARED);
  process.exit(1);
}
const replay = await startReplay(sharedCorpus());
console.log(`--edgar-www-url ${replay.wwwUrl} --edgar-data-url ${replay.dataUrl}`);
await new Promise((resolve) => process.once("SIGTERM", resolve).once("SIGINT", resolve));
await replay.stop();
