import { YEAR_FILTERS, YEARS_LIMIT, incompleteYears, selectYears, yearsLeftOut } from "../../domain/years.ts";
import { readQuery } from "../../domain/parameters.ts";
import { yearBoundsOf } from "../../domain/selection.ts";
import { counted } from "../../lib/text.ts";
import { readRows } from "../../domain/row-fields.ts";
import { askedYears, gapOf } from "../../analysis/company-years.ts";
import { gapText } from "../../operations/analysis.ts";
import { namesOfWords } from "../../operations/typed-names.ts";
import { yearsAsOf } from "../../dataset/detail.ts";
import { rowRemarks, shortPeriods } from "../../dataset/remarks.ts";
import { openDataset } from "../../dataset/snapshots.ts";
import { yearsText } from "./hints.ts";
import { resolveCompany } from "./lookup.ts";
import { asUsage, COMPANY_OPERAND, flagsOf, parametersOf } from "./questions.ts";
import { type Command, command } from "../command.ts";
import { unexpectedArgument } from "../parse-line.ts";
import { OUTPUT_FLAGS, printAnswer, readDay, wholeNumber } from "../output.ts";
import { companyLines } from "./rows.ts";

const { max: MAX_YEARS } = YEARS_LIMIT;

// `parametersOf` reads them by name, so no type needs their names.
const yearFlags: object = flagsOf(YEAR_FILTERS);

/** `execcomp show TICKER` */
export const show: Command = command({
  name: "show",
  summary: "Show what a company paid its named executive officers.",
  operands: [{ ...COMPANY_OPERAND, many: "words" }],
  flags: {
    years: {
      value: "N",
      about: `The newest N fiscal years; default ${YEARS_LIMIT.default}, or all years within a bound.`,
      reads: wholeNumber(1, MAX_YEARS, " See: execcomp help show"),
    },
    ...yearFlags,
    asOf: {
      value: "DATE",
      about: "Use only filings up to that date (YYYY-MM-DD).",
      reads: readDay,
    },
    ...OUTPUT_FLAGS,
  },
  examples: [
    ["show AAPL", "Apple's newest fiscal years as a table."],
    ["show BRK.B --years 1", "The newest year only; any spelling of a symbol works."],
    ["show AAPL --fiscal-year 2021", "One fiscal year; bounds are flags too."],
    ["show AAPL --years 10 --format csv", "Ten years for a spreadsheet."],
    ["show 0000320193 --json", "By CIK, for a script."],
    ["show AAPL --as-of 2024-06-30", "As known on 30 June 2024."],
  ],
  async run({ flags, operands }, io) {
    const bounds = parametersOf(YEAR_FILTERS, flags);
    const { years: limit = bounds.size > 0 ? MAX_YEARS : YEARS_LIMIT.default, asOf } = flags;
    const dataset = openDataset(io.loaded.config.dataDir);
    const [companyName = "", ...others] = operands.length > 1 ? namesOfWords(dataset, operands) : operands;
    if (others.length > 0) throw unexpectedArgument(show, operands);
    const { company, ticker } = resolveCompany(dataset, companyName);
    const remarks = (asOf === undefined ? rowRemarks : shortPeriods)(dataset, [company.cik]);
    const available = asOf === undefined ? dataset.years(company.cik) : yearsAsOf(dataset, company.cik, asOf);
    const selection = await asUsage((async () => readQuery(bounds, YEAR_FILTERS))());
    const years = selectYears(available, selection, limit);
    const rows = years.flatMap(({ rowJson }) => readRows(ticker, rowJson));
    const allYears = available.map(({ fiscalYear }) => fiscalYear);
    if (rows.length === 0)
      io.note(
        `${asOf !== undefined && allYears.length === 0 ? `No filing of ${company.name} that is read was filed by ${asOf}.` : `Available for ${company.name.replace(/\.$/, "")}: ${yearsText(allYears)}.`} What is known of its filings: execcomp coverage ${ticker || company.cik}`,
      );
    const partial = incompleteYears(years);
    await printAnswer(
      io,
      flags,
      { executive_compensation: rows, incomplete_fiscal_years: partial },
      companyLines({ rows, incompleteYears: partial, remarks }),
    );
    const left = yearsLeftOut(available, selection, years);
    if (left > 0)
      io.note(`${counted(left, "earlier year")}: --years ${Math.min(MAX_YEARS, years.length + left)}`);
    const basis = { span: askedYears(yearBoundsOf(selection)), held: allYears, isMatched: true };
    const gap = rows.length > 0 && asOf === undefined ? gapOf(dataset, company.cik, basis) : null;
    if (gap !== null) io.note(`${gapText(gap)}.`);
  },
});
