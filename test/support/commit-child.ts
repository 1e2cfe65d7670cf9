/**
 * Commits a tagged total to the dataset of a folder: `commit-child.ts FOLDER hold|commit`. With `hold` it stays in the
 * middle of it until it is killed. Exits with 3 instead of waiting for another process.
 */
import { commitTags } from "../../src/ingest/context.ts";
import type { PeoTag } from "../../src/dataset/peo-tags.ts";
import { openDataset } from "../../src/dataset/snapshots.ts";

const [folder = "", how = ""] = process.argv.slice(2);
const [company] = openDataset(folder).all<{ cik: number }>("select cik from companies order by cik limit 1");
const cik = String(company?.cik ?? 0).padStart(10, "0");
const clock = { now: () => 1_780_000_000_000, sleep: () => process.exit(3) };

function* companies() {
  console.log(how);
  if (how === "hold") Bun.sleepSync(600_000);
  const name = { name: "A", farBelowOthers: false, sameAs: null, accession: null };
  const tag: PeoTag = {
    ...name,
    cik,
    frame: "CY2024",
    periodEnd: null,
    fiscalYear: null,
    cents: 500_000_000,
    provider: "frames",
  };
  yield [cik, [tag]] as const;
}

const { changed } = await commitTags(folder, clock, companies());
console.log(changed);
