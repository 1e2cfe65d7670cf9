import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { COLUMN_SETS, type ColumnSet } from "../../analysis/export/columns.ts";
import { EXPORT_FORMATS, exportDataset, type ExportFormat } from "../../analysis/export/index.ts";
import { installedPath, readInstalled } from "../../dataset/installed.ts";
import { fingerprint, signSnapshot } from "../../dataset/signature.ts";
import { openDataset } from "../../dataset/snapshots.ts";
import { recordOutside } from "../accounts/accounts.ts";
import { command, type Io, UsageError } from "../command.ts";
import { requireReplaceable } from "../output.ts";

/** `execcomp data export` */
export const exportCommand = command({
  name: "data export",
  summary: "Export the dataset in use, for another machine or a spreadsheet.",
  details:
    "`sqlite` is the snapshot itself, signed with this machine's operator key, which is created on first use; install it\n" +
    "elsewhere with `data install`. `sqlite-views` is a plain database of the views of docs/data-dictionary.md, amounts in\n" +
    "currency units. The other formats have the rows, each saying whether its fiscal year is complete.",
  operands: [],
  flags: {
    format: {
      value: EXPORT_FORMATS.join("|"),
      choices: EXPORT_FORMATS,
      required: true,
      about: "What to write.",
    },
    columns: {
      value: COLUMN_SETS.join("|"),
      choices: COLUMN_SETS,
      about:
        "Names of the columns: our own (the default), or those of ExecuComp's annual compensation table, amounts in thousands.",
    },
    out: {
      value: "FILE",
      required: true,
      about:
        "The file to write; an existing one is replaced. `-` is standard output, for csv, json and jsonl.",
    },
  },
  settings: [],
  examples: [
    ["data export --format sqlite --out pay.sqlite", "For a machine without a network."],
    ["data export --format xlsx --out pay.xlsx", "A spreadsheet with typed cells and links to the filings."],
    ["data export --format parquet --out pay.parquet", "For DuckDB, pandas or R."],
    [
      "data export --format csv --columns execucomp --out anncomp.csv",
      "For a program written for ExecuComp.",
    ],
  ],
  async run({ flags }, io) {
    const { dataDir } = io.loaded.config;
    // Other values have been refused because of `choices`.
    const format = flags.format as ExportFormat;
    const columns = (flags.columns ?? "standard") as ColumnSet;
    if (columns !== "standard" && ["sqlite", "sqlite-views", "json"].includes(format))
      throw new UsageError(
        `--columns ${columns} is not available for --format ${format}. Use csv, jsonl, parquet or xlsx.`,
      );
    if (flags.out === "-") return toStandardOutput(io, format, columns);
    const out = resolve(flags.out);
    requireReplaceable(out);
    const dataset = openDataset(dataDir);
    const { current } = readInstalled(dataDir);
    const source = current === null ? null : installedPath(dataDir, current);
    let key: string | null = null;
    io.status(`Writing ${dataset.info.rows.toLocaleString("en-US")} rows to ${out}…`);
    await exportDataset(dataset, source, format, columns, out, (path) => {
      if (format === "sqlite") key = signSnapshot(dataDir, path, (bytes) => io.runtime.secret(bytes));
    });
    io.status("");
    const { rows, contentHash } = dataset.info;
    await recordOutside(io, {
      act: "dataset_exported",
      subject: contentHash,
      after: { to: out, format, rows },
    });
    const bytes = Bun.file(out).size;
    if (io.json) io.printJson({ file: out, format, rows, bytes, content_hash: contentHash, signed_by: key });
    else {
      io.print(`${out}: ${rows.toLocaleString("en-US")} rows, ${(bytes / 1_000_000).toFixed(1)} MB`);
      if (key !== null) io.print(`signed by ${fingerprint(key)} (this machine), content hash ${contentHash}`);
    }
    return 0;
  },
});

/** Text formats, suitable for a pipe. */
const TEXT_FORMATS: readonly ExportFormat[] = ["csv", "json", "jsonl"];

/** Writes an export to standard output, via a complete temporary file, so that nothing is written on failure. */
async function toStandardOutput(io: Io, format: ExportFormat, columns: ColumnSet): Promise<number> {
  if (!TEXT_FORMATS.includes(format) || io.json)
    throw new UsageError(
      `--out - is available only for --format ${TEXT_FORMATS.join(", ")}, without --json. Specify a file.`,
    );
  const folder = mkdtempSync(join(tmpdir(), "execcomp-export-"));
  try {
    const file = join(folder, "rows");
    const dataset = openDataset(io.loaded.config.dataDir);
    await exportDataset(dataset, null, format, columns, file, () => {});
    for await (const bytes of Bun.file(file).stream()) await io.write(bytes);
    const { rows, contentHash } = dataset.info;
    await recordOutside(io, {
      act: "dataset_exported",
      subject: contentHash,
      after: { to: "-", format, rows },
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return 0;
}
