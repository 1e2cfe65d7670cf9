import { messageOf } from "../../errors.ts";
import type { ChangeAnswer } from "../../operations/changes.ts";
import { recordChanges } from "../../dataset/changes/record.ts";
import { command, type Io } from "../command.ts";
import { callOperation } from "../questions/questions.ts";
import { printAnswer, OUTPUT_FLAGS } from "../output.ts";
import type { TextColumn } from "../text-table.ts";

/** `execcomp record-changes`: used internally, and not listed. */
export const recordCommand = command({
  name: "record-changes",
  summary: "Record what changed with the dataset in use.",
  operands: [],
  flags: {},
  settings: [],
  examples: [],
  run(_given, io) {
    io.printJson(recordChanges(io.loaded.config.dataDir, new Date(io.runtime.now()).toISOString()));
    return Promise.resolve(0);
  },
});

/** `execcomp data changes` */
export const changes = command({
  name: "data changes",
  summary: "Show what was added or changed between the editions used in this data folder.",
  details:
    "The record begins with the first dataset that a server, or this command, finds in the data folder. It keeps\n" +
    "the newest 100,000 changes.",
  operands: [],
  flags: {
    since: { value: "EDITION", about: "The content hash of an edition, its first 16 digits, or its day." },
    ...OUTPUT_FLAGS,
  },
  settings: [],
  examples: [
    ["data changes", "Everything that is recorded, oldest first."],
    ["data changes --since 2026-03-20 --format jsonl", "Since an edition, one change per line."],
  ],
  async run({ flags }, io) {
    record(io);
    const found: ChangeAnswer["changes"] = [];
    let last: ChangeAnswer;
    const parameters = new Map([["max_rows", ["1000"]]]);
    if (flags.since !== undefined) parameters.set("since", [flags.since]);
    do {
      // The result type of the operation.
      last = (await callOperation(io, "changes", parameters)) as ChangeAnswer;
      found.push(...last.changes);
      if (last.next_cursor !== null) parameters.set("cursor", [last.next_cursor]);
    } while (last.next_cursor !== null);
    await printAnswer(
      io,
      flags,
      { ...last, changes: found },
      { rows: found, columns: COLUMNS, none: "Nothing changed." },
    );
    return 0;
  },
});

/** Records the dataset in use, so that the answer includes it. If the folder is not writable, the answer has earlier records only. */
function record(io: Io): void {
  try {
    recordChanges(io.loaded.config.dataDir, new Date(io.runtime.now()).toISOString());
  } catch (error) {
    io.note(`The dataset in use was not recorded: ${messageOf(error)}.`);
  }
}

type ChangeLine = ChangeAnswer["changes"][number];

const COLUMNS: readonly TextColumn<ChangeLine>[] = [
  { head: "Edition", align: "left", rank: 1, cell: ({ edition }) => edition },
  { head: "Change", align: "left", rank: 0, cell: ({ change }) => change },
  { head: "Ticker", align: "left", rank: 0, cell: ({ ticker }) => ticker },
  { head: "CIK", align: "left", rank: 3, cell: ({ cik }) => cik },
  { head: "Company", align: "left", rank: 2, cell: ({ company_name: name }) => name },
  { head: "Year", align: "right", rank: 0, cell: ({ fiscal_year: year }) => String(year ?? "") },
  { head: "Executive", align: "left", rank: 0, cell: ({ executive_name: name }) => name ?? "" },
  { head: "Before", align: "right", rank: 0, cell: (line) => amount(line.total_compensation?.before) },
  { head: "After", align: "right", rank: 0, cell: (line) => amount(line.total_compensation?.after) },
  { head: "Fields", align: "left", rank: 3, cell: ({ fields }) => fields.join(" ") },
  { head: "Form", align: "left", rank: 2, cell: ({ source }) => source.form },
  { head: "Accession", align: "left", rank: 3, cell: ({ source }) => source.accession },
];

function amount(value: number | null | undefined): string {
  return value === null || value === undefined ? "" : value.toLocaleString("en-US");
}
