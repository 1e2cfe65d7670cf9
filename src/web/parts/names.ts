/** Names of companies and offices as they are written in titles and tables. */
import { companyName } from "../../domain/company-name.ts";
import { foldedWords } from "../../domain/selection.ts";
import type { PageCompany } from "../../operations/companies.ts";

/** A company's name without its legal form, for dense tables: `Starbucks`. */
export function shortName(registered: string): string {
  const name = companyName(registered);
  const short = name.replace(/^The /, "").replace(LEGAL_FORM, "");
  return short.length > 2 ? short : name;
}

/** `, Inc.`, ` Corporation`, ` & Co.`, ` and Company`, several of them in a row. */
const LEGAL_FORM =
  /(,? (Inc|Incorporated|Corp|Corporation|(and |& )?(Company|Companies|Co)|plc|Ltd|Limited|N\.V)\b\.?)+$/i;

/** Companies in a title: `Apple, Microsoft and 6 more`. @param max so many have their names */
export function namesOf(found: readonly PageCompany[], max: number): string {
  const names = found.map(({ company }) => shortName(company.name));
  const shown = names.length > max ? [...names.slice(0, 2), `${names.length - 2} more`] : names;
  // In British English, without a comma before `and`.
  return new Intl.ListFormat("en-GB").format(shown);
}

/** An office with its longest words abbreviated, for dense tables: `SVP, General Counsel`. */
export function shortRole(role: string | null): string {
  return (role ?? "")
    .replaceAll(/Senior Executive Vice President/gi, "SEVP")
    .replaceAll(/Executive Vice President/gi, "EVP")
    .replaceAll(/Senior Vice President/gi, "SVP")
    .replaceAll(/Chief Executive Officer/gi, "CEO")
    .replaceAll(/Chief Financial Officer/gi, "CFO")
    .replaceAll(/Chief Operating Officer/gi, "COO");
}

/** Former names to display: each once, without those that differ from the present name only in spelling (`APPLE INC`). */
export function formerly(names: readonly string[], present: string): string {
  // EDGAR appends a state to some names: `BANKAMERICA CORP/DE/`.
  const keyOf = (name: string) => foldedWords(name.replace(/\/.*$/, "")).join("");
  const others = new Map(names.map((name) => [keyOf(name), name]));
  others.delete(keyOf(present));
  return others.size === 0 ? "" : `formerly ${[...others.values()].map(companyName).join(", ")}`;
}
