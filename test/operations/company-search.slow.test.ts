/**
 * Callers that need the name search before it is ready wait for it, whatever the request, and get the same answer as
 * later callers.
 */
import { test } from "bun:test";
import { ASKED, expectWaits, unsearched } from "./searches.ts";

const searched = unsearched();
await searched.searchReady();

test.each(Object.entries(ASKED))("%s", (_, ask) => expectWaits(ask, searched));
