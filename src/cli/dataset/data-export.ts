import { counted } from "../../lib/text.ts";
import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { AMOUNT_TYPES, type AmountType, COLUMN_SETS, type ColumnSet } from "../../analysis/export/columns.ts";
import {
  EXPORT_FORMATS,
  exportDataset,
  type ExportFormat,
  type ExportOptions,
} from "../../analysis/export/index.ts";
import { VIEWS } from "../../analysis/sql/views.ts";
import { installedPath, readInstalled } from "../../dataset/installed.ts";
import { fingerprint, signSnapshot } from "../../dataset/signature.ts";
import type { Dataset } from "../../dataset/dataset.ts";
import { openDataset } from "../../dataset/snapshots.ts";
import { recordOutside } from "../accounts/accounts.ts";
import { command, type Io, UsageError } from "../command.ts";
import { requireReplaceable, temporaryFolder } from "../output.ts";

const VIEW_NAMES = VIEWS.map(({ name }) => name);

/** `execcomp data export` */
export const exportCommand = command({
  name: "data export",
  summary: "Export the dataset in use, for another machine or a spreadsheet.",
  details:
    "`sqlite` is the snapshot itself, signed with this machine's operator key, which is created on first use; install it\n" +
    "elsewhere with `data install`. `sqlite-views` is a plain database of the views of docs/data-dictionary.md, amounts in\n" +
    "currency units. The other formats have the rows, each saying whether its fiscal year is complete.",
  flags: {
    format: {
      choices: EXPORT_FORMATS,
      about: "What to write; default that of the ending of --out.",
    },
    columns: {
      choices: COLUMN_SETS,
      about:
        "Names of the columns: our own (the default), or those of ExecuComp's annual compensation table, amounts in thousands.",
    },
    view: {
      choices: [...VIEW_NAMES, "all"],
      about:
        "Which view of the data dictionary; default compensation. `all` writes a folder with a file for each.",
    },
    amounts: {
      choices: AMOUNT_TYPES,
      about:
        "Type of amounts in Parquet: exact decimals (the default), doubles, or whole cents in columns named …_cents.",
    },
    out: {
      value: "FILE",
      required: true,
      about:
        "The file to write, with --view all the folder; an existing file is replaced. `-` is standard output, for csv, json and jsonl.",
    },
  },
  examples: [
    ["data export --format sqlite --out pay.sqlite", "For a machine without a network."],
    ["data export --out pay.xlsx", "A spreadsheet with typed cells and links to the filings."],
    ["data export --out pay.parquet", "For DuckDB, pandas or R."],
    ["data export --format parquet --view all --out pay", "All views, one file each."],
    [
      "data export --format csv --columns execucomp --out anncomp.csv",
      "For a program written for ExecuComp.",
    ],
  ],
  async run({ flags: { out, format, ...flags } }, io) {
    if (format === undefined)
      throw new UsageError(
        `--out ${out} does not say the format. Give it an ending such as .csv or .xlsx, or add --format. See: execcomp help data export`,
      );
    const options = readOptions({ format, ...flags });
    const isText = TEXT_FORMATS.includes(format) && options.view !== "all" && !io.json;
    if (out === "-" && !isText)
      throw new UsageError(
        `--out - is available only for --format ${TEXT_FORMATS.join(", ")}, of one view, without --json. Specify a file.`,
      );
    const dataset = openDataset(io.loaded.config.dataDir);
    const { contentHash } = dataset.info;
    let signer: string | null = null;
    const files: { file: string; rows: number; bytes: number }[] = [];
    // Standard output is written from a complete file, so that nothing is written on failure.
    using temporary = out === "-" ? temporaryFolder() : null;
    const to = temporary === null ? resolve(out) : join(temporary.path, "rows");
    for (const { view, file } of filesOf(to, options)) {
      requireReplaceable(file);
      io.status(`Writing ${file}…`);
      const { rows, key } = await exportInUse(io, dataset, { ...options, view }, file);
      signer = key;
      files.push({ file, rows, bytes: Bun.file(file).size });
    }
    io.status("");
    if (out === "-") for await (const bytes of Bun.file(to).stream()) await io.write(bytes);
    const rows = files.reduce((sum, one) => sum + one.rows, 0);
    const after = { to: out === "-" ? out : to, format, rows };
    await recordOutside(io, { act: "dataset_exported", subject: contentHash, after });
    if (out === "-") return;
    const about = { format, content_hash: contentHash, signed_by: signer };
    io.answer(options.view === "all" ? { files, ...about } : { ...files[0], ...about }, [
      ...files.map(
        (one) => `${one.file}: ${counted(one.rows, "row")}, ${(one.bytes / 1_000_000).toFixed(1)} MB`,
      ),
      ...(signer === null
        ? []
        : [`signed by ${fingerprint(signer)} (this machine)\ncontent hash ${contentHash}`]),
    ]);
  },
});

/** Text formats, suitable for a pipe. */
const TEXT_FORMATS: readonly ExportFormat[] = ["csv", "json", "jsonl"];

/** Exports the dataset in use to a file; a snapshot is signed. @returns its rows, and the key that signed it */
async function exportInUse(
  io: Io,
  dataset: Dataset,
  options: ExportOptions,
  file: string,
): Promise<{ rows: number; key: string | null }> {
  const { dataDir } = io.loaded.config;
  const { current } = readInstalled(dataDir);
  const source = current === null ? null : installedPath(dataDir, current);
  let key: string | null = null;
  const rows = await exportDataset(dataset, source, options, file, (path) => {
    if (options.format === "sqlite") key = signSnapshot(dataDir, path, (bytes) => io.runtime.secret(bytes));
  });
  return { rows, key };
}

/** @throws UsageError for options that the format does not have */
function readOptions(flags: {
  readonly format: ExportFormat;
  readonly view?: string | undefined;
  readonly columns?: ColumnSet | undefined;
  readonly amounts?: AmountType | undefined;
}): ExportOptions {
  const { format, view = "compensation", columns = "standard", amounts = "decimal" } = flags;
  const isDatabase = format === "sqlite" || format === "sqlite-views";
  if (columns !== "standard" && (isDatabase || format === "json"))
    throw new UsageError(
      `--columns ${columns} is not available for --format ${format}. Use csv, jsonl, parquet or xlsx.`,
    );
  if (columns !== "standard" && view !== "compensation")
    throw new UsageError(`--columns ${columns} is for the rows of compensation. Leave out --view ${view}.`);
  if (flags.view !== undefined && isDatabase)
    throw new UsageError(`--format ${format} always has all views. Leave out --view.`);
  if (flags.amounts !== undefined && format !== "parquet")
    throw new UsageError(`--amounts is for --format parquet: ${format} has no type for them.`);
  return { format, view, columns, amounts };
}

/** The files to write; for all views one each, in a folder that is created. */
function filesOf(to: string, { format, view }: ExportOptions): { view: string; file: string }[] {
  if (view !== "all") return [{ view, file: to }];
  mkdirSync(to, { recursive: true });
  return VIEW_NAMES.map((name) => ({ view: name, file: join(to, `${name}.${format}`) }));
}
