import type { CsvCell } from "../../lib/csv.ts";
import { numeral, shellWord } from "../../lib/text.ts";
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { OperatorError } from "../../errors.ts";
import { requireFile } from "../../files.ts";
import { countDifferences, diffDatasets, type Difference } from "../../dataset/diff.ts";
import { openEmbedded } from "../../dataset/embedded.ts";
import { readInstalled, rollBack, snapshotFolder } from "../../dataset/installed.ts";
import { openFile, SnapshotError } from "../../dataset/open.ts";
import type { Dataset, DatasetInfo } from "../../dataset/dataset.ts";
import { datasetOf } from "../../dataset/read-snapshot.ts";
import { editionName, isOlder } from "../../domain/edition.ts";
import { seal as sealTable } from "../../dataset/schema.ts";
import { readSealLine } from "../../dataset/seal.ts";
import {
  fingerprint,
  forged,
  installTrusted,
  requireTrustedHead,
  type Signer,
  signerOf,
  type TrustOptions,
} from "../../dataset/signature.ts";
import { openDataset, Snapshots } from "../../dataset/snapshots.ts";
import { rederive, verifySnapshot } from "../../dataset/verify.ts";
import { byServer, recordOutside } from "../accounts/accounts.ts";
import { command, type Io, sameFolder } from "../command.ts";
import { csvOfRecords, OUTPUT_FLAGS, printAnswer } from "../output.ts";
import type { TextColumn } from "../../lib/text-table.ts";
import { download, isAddress, shownAddress } from "./download.ts";

/** `execcomp data info` */
export const info = command({
  name: "data info",
  summary: "Show the dataset in use.",
  examples: [
    ["data info", "Edition, counts and content hash."],
    ["data info --json", "The same for scripts."],
  ],
  async run(_given, io) {
    const { dataDir } = io.loaded.config;
    const snapshots = new Snapshots({ dataDir, monotonic: io.runtime.monotonic, who: "command" });
    const inUse = snapshots.current().info;
    const embedded = snapshots.embedded();
    const installed = readInstalled(dataDir);
    const newer = newerEmbedded(inUse, embedded);
    io.answer({ in_use: toJson(inUse), embedded: toJson(embedded), installed }, [
      describe(inUse),
      ...(newer === null ? [] : [`\n${newer}`]),
    ]);
  },
});

/** `execcomp data verify` */
export const verify = command({
  name: "data verify",
  summary: "Check every byte of a snapshot against its seal; default the snapshot in use.",
  operands: [{ name: "FILE", about: "A snapshot file.", optional: true }],
  flags: { deep: { about: "Also recompute every row from the filings' observations and compare." } },
  examples: [
    ["data verify", "Check the dataset in use."],
    ["data verify pay.sqlite", "Check a file before it is installed."],
    ["data verify --deep", "Recompute every row from what the filings report."],
  ],
  async run({ flags, operands }, io) {
    const [file] = operands;
    if (file !== undefined) requireFile(file);
    const { name, dataset } = verifySnapshot(io.loaded.config.dataDir, file);
    const signer = signerIn(io, dataset);
    if (signer.kind === "forged") throw forged(name, signer.key);
    const broken = flags.deep ? rederive(dataset) : [];
    const { contentHash, signedBy, rows } = dataset.info;
    const trust = signer.kind === "signed" ? signer.trust : null;
    const what =
      broken.length === 0 ? "all as reported in their filings" : `${broken.length} violate an invariant`;
    const facts = { name, content_hash: contentHash, signed_by: signedBy, signer_known: trust, rows };
    io.answer({ ...facts, deep: flags.deep, broken }, [
      `Intact: ${name}.`,
      `content hash  ${contentHash}`,
      `signed by     ${signerText(signer)}`,
      ...(flags.deep ? [`rows          ${numeral(rows)}, ${what}`] : []),
    ]);
    for (const sentence of broken.slice(0, 50)) io.note(sentence);
    return broken.length === 0 ? 0 : 1;
  },
});

/** `execcomp data install` */
export const install = command({
  name: "data install",
  summary: "Check a snapshot file and install it; a running server switches to it within a second.",
  details:
    "With an https address, the signer is checked before the file is downloaded. --offline refuses addresses.",
  operands: [
    {
      name: "FILE",
      about: "A snapshot file from `data export --format sqlite`, or the https address of one.",
    },
  ],
  flags: {
    trust: { about: "Accept an unsigned file, or a new signer, which is trusted from then on." },
    byServer,
  },
  examples: [
    ["data install pay.sqlite", "Update a machine without a network."],
    ["data install https://data.example.com/pay.sqlite", "From your own server."],
    ["data install pay.sqlite --trust", "The signer's first file: compare the key that verify prints."],
  ],
  async run({ flags, operands: [file = ""] }, io) {
    const before = usable(io);
    const { dataDir } = io.loaded.config;
    const name = isAddress(file) ? shownAddress(file) : file;
    const options: TrustOptions = {
      today: new Date(io.runtime.now()).toISOString(),
      name,
      trustsAnyone: flags.trust,
      advice: `Check the key with its publisher, then run \`execcomp data install ${shellWord(name)} --trust${sameFolder(io.loaded)}\`.`,
    };
    if (isAddress(file)) await installFrom(file, options, io);
    else {
      requireFile(file);
      installTrusted(dataDir, file, options);
    }
    const now = openDataset(dataDir).info;
    if (!flags.byServer) await recordDataset(io, "dataset_installed", before, now);
    io.answer({ in_use: toJson(now), before: before && toJson(before) }, [
      describe(now),
      `\nRun \`execcomp data rollback${sameFolder(io.loaded)}\` to return to the previous one.`,
    ]);
    if (before !== null && isOlder(now, before))
      io.note(`Its edition ${editionName(now)} is older than the previous one, ${editionName(before)}.`);
  },
});

/** Largest download. */
const MAX_BYTES = 16 * 1024 ** 3;

/** Downloads a snapshot and installs it. */
async function installFrom(address: string, options: TrustOptions, io: Io): Promise<void> {
  const { dataDir, offline } = io.loaded.config;
  if (offline) throw new OperatorError("--offline is set, so nothing can be downloaded.");
  const file = join(dataDir, `download-${process.pid}.part`);
  try {
    await download(address, {
      fetch: io.runtime.fetch,
      file,
      maxBytes: MAX_BYTES,
      inspect: (head) => requireTrustedHead(dataDir, head, options),
      progress: (received) => io.status(`${(received / 1e6).toFixed(1)} MB`),
    });
    io.status("");
    installTrusted(dataDir, file, options);
  } finally {
    rmSync(file, { force: true });
  }
}

/** `execcomp data rollback` */
export const rollback = command({
  name: "data rollback",
  summary: "Return to the snapshot before the last install or ingest, and in the end to the built-in one.",
  flags: { byServer },
  examples: [["data rollback", "Undo the last install."]],
  async run({ flags }, io) {
    const { dataDir } = io.loaded.config;
    const before = usable(io);
    if (rollBack(dataDir) === undefined)
      throw new OperatorError(
        "No snapshot is installed; the embedded one is in use. See: execcomp data info",
      );
    const now = openDataset(dataDir).info;
    if (!flags.byServer) await recordDataset(io, "dataset_rolled_back", before, now);
    io.answer({ in_use: toJson(now) }, describe(now));
  },
});

/** `execcomp data diff` */
export const diff = command({
  name: "data diff",
  summary: "Compare two snapshots: rows, filings and complete years.",
  operands: [
    { name: "A", about: "A snapshot file, `current` or `embedded`." },
    { name: "B", about: "The newer snapshot: a file, `current` or `embedded`." },
  ],
  flags: OUTPUT_FLAGS,
  examples: [
    ["data diff embedded current", "The changes by ingests and installs."],
    ["data diff old.sqlite new.sqlite --format csv --out diff.csv", "A line for every changed field."],
    ["data diff old.sqlite new.sqlite --json", "Every difference, for scripts."],
  ],
  async run({ flags, operands: [a = "", b = ""] }, io) {
    const [before, after] = [openNamed(a, io), openNamed(b, io)];
    const differences = [...diffDatasets(before, after)];
    const counts = countDifferences(differences);
    const answer = { before: toJson(before.info), after: toJson(after.info), counts, differences };
    const format = await printAnswer(io, flags, answer, {
      rows: differences,
      columns: DIFFERENCE_COLUMNS,
      none: "No differences.",
      csv: () => csvOfRecords(DIFFERENCE_FIELDS, differences.flatMap(changedFields)),
    });
    if (format === "json") return;
    const present = Object.entries(counts).filter(([, count]) => count > 0);
    const told = present.map(([what, count]) => `${numeral(count)} ${count === 1 ? singular(what) : what}`);
    if (told.length > 0) io.note(told.join(", "));
  },
});

/** `company added` of `companies added`. */
const singular = (what: string) => what.replace(/^companies/, "company").replace(/s (?=\w+$)/, " ");

const DIFFERENCE_FIELDS = ["kind", "change", "cik", "company", "key", "field", "before", "after"] as const;

const DIFFERENCE_COLUMNS: readonly TextColumn<Difference>[] = [
  { head: "Change", cell: ({ change }) => change },
  { head: "Kind", cell: ({ kind }) => kind },
  { head: "CIK", rank: 2, cell: ({ cik }) => cik },
  { head: "Company", rank: 1, cell: ({ company }) => company },
  { head: "What", cell: ({ key }) => key },
  {
    head: "Before → after",
    cell: ({ fields }) =>
      fields.map(({ field, before, after }) => `${field} ${String(before)} → ${String(after)}`).join(", "),
  },
];

/** A record for each changed field; one without a field for what was added or removed. */
function changedFields({ fields, ...about }: Difference) {
  const none = { field: null, before: null, after: null };
  return (fields.length === 0 ? [none] : fields).map(({ field, before, after }) => ({
    ...about,
    field,
    before: cellOf(before),
    after: cellOf(after),
  }));
}

function cellOf(value: unknown): CsvCell {
  return value === null || typeof value === "number" ? value : String(value);
}

/** Records in the audit log which dataset replaced which. */
function recordDataset(
  io: Io,
  act: "dataset_installed" | "dataset_rolled_back",
  before: DatasetInfo | null,
  now: DatasetInfo,
): Promise<void> {
  const shown = ({ edition, rows }: DatasetInfo) => ({ edition, rows });
  const replaced = before && { before: { content_hash: before.contentHash, ...shown(before) } };
  return recordOutside(io, { act, subject: now.contentHash, ...replaced, after: shown(now) });
}

/** The signer of an open snapshot. */
function signerIn(io: Io, dataset: Dataset): Signer {
  const found = dataset.read((db) => db.select().from(sealTable).get());
  const seal = readSealLine(found?.line ?? "");
  return seal === undefined ? { kind: "unsigned" } : signerOf(io.loaded.config.dataDir, seal);
}

function signerText(signer: Signer): string {
  if (signer.kind !== "signed") return "unsigned";
  const who = { own: "this machine", trusted: "trusted", no: "unknown signer" }[signer.trust];
  return `${fingerprint(signer.key)} (${who})`;
}

/** Info of the dataset in use; null if it is unusable, which an install repairs. */
function usable(io: Io): DatasetInfo | null {
  try {
    return openDataset(io.loaded.config.dataDir).info;
  } catch (error) {
    if (error instanceof SnapshotError) return null;
    throw error;
  }
}

function openNamed(name: string, io: Io): Dataset {
  const { dataDir } = io.loaded.config;
  const meant = existsSync(name) ? "" : name.toLowerCase();
  if (meant === "current") return openDataset(dataDir);
  if (meant === "embedded") return datasetOf(openEmbedded(snapshotFolder(dataDir)), "embedded");
  requireFile(name);
  return datasetOf(openFile(name), "installed");
}

/** A note if the embedded dataset is newer than the installed one; null otherwise. */
export function newerEmbedded(inUse: DatasetInfo, embedded: DatasetInfo): string | null {
  if (inUse.origin === "embedded" || embedded.edition <= inUse.edition) return null;
  return `The dataset inside this executable is newer (edition ${embedded.edition}) than the installed one (${inUse.edition}). Run \`execcomp data rollback\` to use it.`;
}

function describe(dataset: DatasetInfo): string {
  const lines = [
    ["origin", dataset.origin],
    ["edition", editionName(dataset)],
    ["newest filing", dataset.newestFilingDate],
    ["rows", numeral(dataset.rows)],
    ["companies", `${numeral(dataset.companiesWithRows)} with rows, ${numeral(dataset.companies)} known`],
    ["filings", numeral(dataset.filings)],
    ["observations", numeral(dataset.observations)],
    ["size", `${(dataset.bytes / 1_000_000).toFixed(1)} MB, format ${dataset.format}`],
    ["content hash", dataset.contentHash],
    ["signed by", dataset.signedBy ?? "unsigned"],
  ];
  return lines.map(([name = "", value = ""]) => `${name.padEnd(14)}${value}`).join("\n");
}

function toJson(dataset: DatasetInfo) {
  return {
    origin: dataset.origin,
    edition: dataset.edition,
    sequence: dataset.sequence,
    newest_filing_date: dataset.newestFilingDate,
    format: dataset.format,
    content_hash: dataset.contentHash,
    signed_by: dataset.signedBy,
    rows: dataset.rows,
    companies: dataset.companies,
    companies_with_rows: dataset.companiesWithRows,
    filings: dataset.filings,
    observations: dataset.observations,
    bytes: dataset.bytes,
  };
}
