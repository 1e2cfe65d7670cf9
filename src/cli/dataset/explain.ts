import { AMOUNTS } from "../../domain/row-fields.ts";
import { nearest } from "../../domain/nearest.ts";
import { OperatorError } from "../../errors.ts";
import { isAboutOffice, type Remark, rowRemarks } from "../../dataset/remarks.ts";
import { amountSource, flagSource } from "../../dataset/detail.ts";
import type { Dataset } from "../../dataset/dataset.ts";
import { openDataset } from "../../dataset/snapshots.ts";
import { resolveCompany, resolveExecutive } from "../questions/resolve-company.ts";
import { command, UsageError } from "../command.ts";
import { amountJson, amountLines } from "./explain-amount.ts";
import { flagJson, flagLines, FLAGS, type FlagField } from "./explain-flag.ts";

const FIELDS = [...AMOUNTS, "is_peo", "is_pfo"] as const;

/** `execcomp explain TICKER YEAR ID FIELD` */
export const explain = command({
  name: "explain",
  summary:
    "Show where an amount or a flag comes from: the cell in the filer's table, or the text that decided it.",
  details:
    "The table is in the dataset, so nothing is fetched. Rows that were entered manually from the filing have no cell reference; the filing's address is printed instead.",
  operands: [
    {
      name: "TICKER",
      about: "A ticker symbol in any spelling, a CIK, or a company name that is unambiguous.",
    },
    { name: "YEAR", about: "The fiscal year." },
    { name: "ID", about: "The executive's id, such as tim-cook, or an unambiguous part of the name." },
    { name: "FIELD", about: `One of ${FIELDS.join(", ")}.` },
  ],
  flags: {},
  settings: [],
  examples: [
    ["explain AAPL 2025 tim-cook salary", "The cell of Tim Cook's salary."],
    [
      "explain AAPL 2025 kevan-parekh is_pfo",
      "Why he is flagged as principal financial officer, with the filing's text.",
    ],
    ["explain F 2025 james-farley total_compensation --json", "The same for scripts."],
  ],
  async run({ operands: [companyName = "", year = "", id = "", named = ""] }, io) {
    if (!/^\d{4}$/.test(year))
      throw new UsageError(`Cannot read YEAR ${JSON.stringify(year)}: expected a fiscal year such as 2025.`);
    const field = FIELDS.find((one) => one === named);
    if (field === undefined) {
      const meant = nearest(named, FIELDS);
      throw new UsageError(
        `Cannot read FIELD ${JSON.stringify(named)}: expected one of ${FIELDS.join(", ")}.${meant === undefined ? "" : ` Did you mean ${meant}?`}`,
      );
    }
    const { dataDir } = io.loaded.config;
    const dataset = openDataset(dataDir);
    const { company } = resolveCompany(dataset, companyName);
    const executiveId = resolveExecutive(dataset, company, id);
    const where = [dataset, company.cik, Number(year), executiveId] as const;
    const remarks = rowRemarks(dataset, [company.cik])({
      cik: company.cik,
      fiscal_year: Number(year),
      executive_id: executiveId,
    });
    const found =
      field === "is_peo" || field === "is_pfo"
        ? explainFlag(field, remarks.filter(isAboutOffice), ...where)
        : explainAmount(
            field,
            remarks.filter((one) => !isAboutOffice(one)),
            io.columns,
            ...where,
          );
    if (found === undefined)
      throw new OperatorError(
        `No row for ${id} in ${year} at ${company.name.replace(/\.$/, "")}. See: execcomp show ${companyName}`,
      );
    if (io.json) io.printJson(found.json);
    else for (const line of found.lines) io.print(line);
    return 0;
  },
});

/** An explanation in both output formats. */
interface Explanation {
  readonly json: object;
  readonly lines: Iterable<string>;
}

function explainAmount(
  field: (typeof AMOUNTS)[number],
  remarks: readonly Remark[],
  width: number | null,
  ...where: RowPlace
): Explanation | undefined {
  const source = amountSource(...where, field);
  return (
    source && { json: amountJson(field, source, remarks), lines: amountLines(field, source, remarks, width) }
  );
}

function explainFlag(
  field: FlagField,
  remarks: readonly Remark[],
  ...where: RowPlace
): Explanation | undefined {
  const source = flagSource(...where, FLAGS[field]);
  return source && { json: flagJson(field, source, remarks), lines: flagLines(field, source, remarks) };
}

type RowPlace = readonly [dataset: Dataset, cik: string, fiscalYear: number, executiveId: string];
