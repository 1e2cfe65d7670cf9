/** What all queries across companies have in common. */
import { expect, test } from "bun:test";
import { tmpdir } from "node:os";
import { loadConfig } from "../../src/config/load.ts";
import { analysisOperation } from "../../src/operations/analysis.ts";
import { encode } from "../../src/operations/operation.ts";
import { openEmbedded } from "../../src/dataset/embedded.ts";
import { datasetOf } from "../../src/dataset/read-snapshot.ts";

const dataset = datasetOf(openEmbedded(tmpdir()), "embedded");

test("answers are cached, and any number of short answers do not fill the memory", async () => {
  let made = 0;
  const ask = analysisOperation(
    {
      snapshots: { current: () => dataset },
      admit: async () => ({ principal: { kind: "operator" }, window: null }),
      charge: async () => ({ charged: 0, remaining: null }),
      prices: loadConfig({}, undefined, {}).config,
      onDemand: null,
    },
    { id: "test", price: null },
    (given) => ({
      identity: given.get("q")?.[0] ?? "",
      priceCredits: 0,
      answer() {
        made += 1;
        return { body: encode("{}"), costCredits: 0 };
      },
    }),
  );
  const madeFor = async (question: string) => {
    const before = made;
    const caller = { presented: { kind: "none" as const }, address: "", requestId: "" };
    await ask({ caller, parameters: new Map([["q", [question]]]), ifNoneMatch: null, need: "any" });
    return made - before;
  };
  expect([await madeFor("first"), await madeFor("first")]).toEqual([1, 0]);
  // Some 20 MB of entries, although their answers take 120 kB.
  for (let n = 0; n < 60_000; n++) await madeFor(String(n));
  expect(await madeFor("first")).toBe(1);
});
