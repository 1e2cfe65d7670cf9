/** Who wants the search by name before it is ready waits for it, whatever was asked, and is answered as later callers are. */
import { test } from "bun:test";
import { ASKED, expectWaits, unsearched } from "./searches.ts";

const searched = unsearched();
await searched.searchReady();

test.each(Object.entries(ASKED))("%s", (_, ask) => expectWaits(ask, searched));
