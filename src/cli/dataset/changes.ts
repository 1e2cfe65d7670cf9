import type { ChangeAnswer } from "../../operations/changes.ts";
import { command } from "../command.ts";
import { callOperation } from "../questions/questions.ts";
import { printAnswer, OUTPUT_FLAGS } from "../output.ts";
import type { TextColumn } from "../text-table.ts";

/** `execcomp data changes` */
export const changes = command({
  name: "data changes",
  summary: "Show what was added or changed between the editions that the dataset in use was made from.",
  details:
    "Each ingest and each installation of another dataset is an edition, recorded when it is made. The newest\n" +
    "50,000 changes of at most 1,000 editions are kept.",
  operands: [],
  flags: {
    since: {
      value: "EDITION",
      about: "The content hash of an edition, its first 16 digits, its name, or its day.",
    },
    ...OUTPUT_FLAGS,
  },
  settings: [],
  examples: [
    ["data changes", "Everything that is recorded, oldest first."],
    ["data changes --since 2026-03-20 --format jsonl", "Since an edition, one change per line."],
  ],
  async run({ flags }, io) {
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
