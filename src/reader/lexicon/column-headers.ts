import type { AmountField } from "../../domain/row-fields.ts";
import { lexiconOf } from "./lexicon.ts";

/** What a column contains, according to its header. */
export type Meaning =
  | Exclude<AmountField, "unknown_component">
  | "name"
  | "position"
  | "year"
  /** Pay under another name: the salary if the table has no salary column. */
  | "base_pay"
  /** A director's fees. */
  | "fees"
  /** A number of shares or securities, or a percentage: not an amount of the table. */
  | "count"
  /** A sum of other columns, or a second total: never added. */
  | "subtotal"
  /** A header that does not name a column of Item 402(c), or names two at once. */
  | "unknown";

const ITEM = "Item 402(c)(2)";
/** Options and stock anywhere in a header; `stock options` is not stock. */
const OPTION = "option|appreciationright|^sars?|sarsawards?$|warrant";
const STOCK =
  "(?<!non)stock(?!options?|appreciation)|share(?!options?)|rsu|psu|restricted|units?(?:award|grant|s|$)|phantom";
const NON_EQUITY = "nonequity|nonstock|noneqty|nonequtiy";
const INCENTIVE = "incentive|performancebasedcash|performancecash|^mip$|^stip?$|^aip$";

/**
 * Column headers in the form of `classify`: lower-case letters, `#` and `%` only. The first match wins, so headers that name
 * two columns at once, or none, come before those they could be mistaken for.
 */
export const COLUMN_HEADERS = lexiconOf<Meaning>(
  "column-headers",
  {
    count: { "fixture 24": /[#%]|percent|securitiesunderlying|numberof|sharesunderlying|underlyingoptions/ },
    year: {
      [`${ITEM}(ii)`]:
        /^(?:for)?(?:the)?(?:fiscal|calendar|reporting|reported)?years?(?:s)?(?:ended|ending|end)?(?:(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*|reported|covered)?$/,
      "column-headers.test": /^fiscal$|^fy$|^yrs?$/,
      "fixture 38": /^period(?:ended)?$|^fiscalperiod$|^(?:fiscal)?yearperiod$/,
    },
    name: {
      [`${ITEM}(i)`]:
        /^(?!.*(?:total|salary|award|compens(?!ated)))(?:.*name|(?:executive)?officersand?position)/,
    },
    position: {
      [`${ITEM}(i)`]:
        /^(?:principal|current|andprincipal)?(?:positions?|titles?|offices?|capacity|occupation)(?:andtitle|s|held|orposition|withcompany|withthecompany)?$|^principalposition/,
    },
  },
  {
    name: {
      "layouts: name":
        /^(?:executives?|(?:executive)?officers?|neos?|individual|person)(?:andtitle|andposition|andprincipalposition)?$/,
    },
    total_compensation: {
      "fixture 36": /^(?=.*total).*asreported(?:under|in|per|inthe)?(?:sec|sct|summarycomp)/,
    },
    subtotal: {
      "column-headers.test":
        /^(?=.*total).*(?:without|exclu|less|minus|netof|before|otherthan|adjusted|adjustment|nonsec|realiz|asreported|(?:previously|originally|formerly)reported|target|actual|granted)/,
    },
  },
  {
    total_compensation: {
      [`${ITEM}(x)`]:
        /^(?:the)?(?:sec|sct|grand|corrected|restated|revised)?totals?(?:sum)?(?:compensation|comp|compen|pay|remuneration|earned|amount|earnings)?(?:usd?|dollars?|sec|inus|us)?(?:as)?(?:corrected|restated|revised|amended)?$/,
    },
    subtotal: {
      "layouts: subtotal":
        /^(?:annual)?totalannual(?:compensation)?$|total(?:cash|direct|equity|stock|incentive|salary|long|other|all|award|option|bonus)/,
    },
  },
  {
    total_compensation: { [`${ITEM}(x)`]: /^compensationtotal|^totalcompensation/ },
    unknown: {
      "fixture 75": /total|^sum$|^aggregatecompensation$/,
      "column-headers.test: Salary Continuation": /salarycontinuation/,
      // Income from awards is not an award.
      "column-headers.test: Dividends on Stock Awards":
        /^(?:net)?gains?(?:on|from|realized)|^dividends?|discount|(?:options?|sars?)(?:awards?)?exercised?$|realizedon/,
      "fixture 79": [
        /salaryandbonus|salarybonus|bonusandsalary|restrictedcash|cashretention/,
        /^(?=.*(?:pension|bonus|nonequity|incentive|award|option|stock|salar)).*(?:allother|(?:and|plus|or)othercomp)/,
        /^(?=.*(?:salar|bonus|stock|option|award|incentive)).*pension/,
        // A contribution to a plan is not a change in its value; shares bought through a plan are not an award.
        /^(?=.*contribution).*(?:pension|deferredcomp|retirement|defined)|(?:stock|share)purchaseplan/,
      ],
      "column-headers.test": new RegExp(`^(?=.*(?:bonus(?:es)?and|andbonus|salar)).*(?:${NON_EQUITY})`),
    },
    non_equity_incentive: { [`${ITEM}(vii)`]: new RegExp(`${NON_EQUITY}|^neip(?:comp)?$`) },
    pension_change: {
      [`${ITEM}(viii)`]:
        /pension|nqdc|nonqualifieddefer|nonqualifiedcomp|deferredcomp|defferedcomp|defined(?:benefit)|actuarial|retirementvalue|retirementplanvalue/,
    },
    other_comp: {
      [`${ITEM}(ix)`]:
        /^allother|othercomp|^others?$|^otherannual|allothercom|^otherbenefits?$|^otherremuneration|perquisite|^perqs?$|^miscellaneous/,
    },
  },
  {
    unknown: {
      "column-headers.test": [
        /^(?=.*(?:and|or(?=option))).*(?:stock|share|equity|unit)(?:awards?)?(?:and|or|andor)?options?awards?$|options?(?:awards?)?(?:and|or|andor)(?:stock|share|unit|restricted)/,
        new RegExp(
          `^(?=.*(?:${OPTION}))(?=.*(?:${STOCK}))(?:(?:restricted)?(?:stock|shares?)(?:and|or)|(?!(?:stock|share)?options?)(?!.*(?:appreciation|sar)))`,
        ),
      ],
    },
    option_awards: { [`${ITEM}(vi)`]: new RegExp(OPTION) },
  },
  {
    unknown: {
      "fixture 79":
        /^(?=.*bonus)(?:.*salar|basepay|basecomp|basewages|wages|guaranteed|feesearned|consultingfee|managementfee)/,
    },
    salary: { [`${ITEM}(iii)`]: /salar/ },
    base_pay: {
      "layouts: salary": [/^basepay|^basecomp|^basewages?|^wages/, /^base$/],
      "column-headers.test: Guaranteed Payments": /^guaranteed/,
      "fixture 21": /^consultingfees?|^managementfees?/,
    },
    fees: { "fixture 35": /^feesearned/ },
  },
  {
    unknown: { "column-headers.test": new RegExp(`^(?=.*(?:${STOCK}))(?=.*incentiveplan)(?!.*award)`) },
    stock_awards: { [`${ITEM}(v)`]: new RegExp(STOCK) },
    bonus: { [`${ITEM}(iv)`]: /bonus/ },
  },
  {
    unknown: {
      "column-headers.test": new RegExp(
        `^longtermincentive(?!.*(?:cash|plan))|^(?=.*equity).*(?:${INCENTIVE})`,
      ),
    },
    non_equity_incentive: { "column-headers.test": new RegExp(INCENTIVE) },
  },
);

/** The header of a column of family names; the first names are in the next column. */
export const SURNAME_HEADER = /^\W*(?:last|family|sur)[\s-]?name/i;

/** Headers over several columns, as letters only. Only those that name a column themselves give the columns a meaning. */
export const GROUP_HEADERS = lexiconOf("group-headers", {
  non_equity_incentive: {
    [`${ITEM}(vii); column-headers.test`]: /nonequity(?=.*(?:incentive|plan))|nonstock/,
  },
  stock_awards: {
    [`${ITEM}(v); column-headers.test`]: /^(?:stock|share|shares?based)(?:awards?)?(?:usd?)?$/,
  },
  option_awards: {
    [`${ITEM}(vi); column-headers.test`]: /^(?:stock)?options?(?:awards?)?(?:usd?)?$/,
  },
  other_comp: {
    [`${ITEM}(ix); column-headers.test`]: /^allother/,
  },
  pension_change: {
    [`${ITEM}(viii); column-headers.test`]: /^(?:[a-j]?change.{0,30})?pension.*(?:earnings|value)/,
  },
});

/** Headers of other forms of the table, as letters only. */
export const FOREIGN_HEADERS = lexiconOf("foreign-headers", {
  old: {
    "Release 33-8732A; fixture 11": [
      /ltippayout/,
      /securitiesunderlying/,
      /sharesunderlying/,
      /otherannualcompensation/,
    ],
  },
  old_and_new: { "Release 33-8732A; fixture 57": [/longtermcompensation/, /annualcompensation/] },
  canadian: {
    "Form 51-102F6; fixture 06": /^(?=.*optionbasedaward).*shares?basedaward/,
    // Canada's table for venture issuers has no columns for options and shares, and includes directors.
    "Form 51-102F6V; column-headers.test": /^(?=.*committeeormeetingfees).*valueof(?:perquisites|allother)/,
  },
});

const PAY_MEANINGS: ReadonlySet<string> = new Set(["salary", "base_pay", "fees"]);
/** Pay headers anywhere in a table's letters, where headers have no boundaries. `Base` alone is too short for that. */
export const PAY = new RegExp(
  COLUMN_HEADERS.entries
    .filter(({ means, pattern: { source } }) => PAY_MEANINGS.has(means) && !source.includes("$"))
    .map(({ pattern: { source } }) => source.replaceAll("^", ""))
    .join("|"),
);

/** Whether a table's letters mention pay and a total, or principal positions, as every Summary Compensation Table does. */
export function mentionsPayAndTotal(bare: string): boolean {
  return bare.includes("total") && (PAY.test(bare) || bare.includes("principalposition"));
}
