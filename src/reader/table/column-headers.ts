import type { AmountField } from "../../domain/components.ts";
import { letters, tidy } from "../document/text.ts";

/** What a column holds, by its caption. */
export type Meaning =
  | Exclude<AmountField, "unknown_component">
  | "name"
  | "position"
  | "year"
  /** A number of shares or securities, or a percentage: no amount of the table. */
  | "count"
  /** A sum of some columns, or a second total: looked at, never added. */
  | "subtotal"
  /** A caption that names no column of Item 402(c). */
  | "unknown";

/** The words of a caption without footnote marks, units and column letters. */
export function captionWords(text: string): string {
  return tidy(
    text
      .replace(
        /\([^()]{0,14}(?:[$€£¥]|'?000|\b(?:USD|CAD|RMB|EUR|GBP|NIS|CNY|CHF|AUD|HKD)\b|dollars|thousands)[^()]{0,10}\)/gi,
        " ",
      )
      .replace(/[([{]\s*(?:\d{1,2}|[a-z]|[ivx]{1,4})(?:\s*[,;&]\s*(?:\d{1,2}|[a-z]))*\s*[)\]}]/gi, " ")
      .replace(/[*†‡§¶^⁰¹²³⁴⁵⁶⁷⁸⁹]+/g, "")
      .replace(/(?<=[a-z)])\s?\d{1,2}(?:\s*,\s*\d{1,2})*$/i, ""),
  );
}

/** Caption of a group: only one that is itself the name of a column says what stands below it. */
function groupMeaning(groups: readonly string[]): Meaning | undefined {
  for (const group of groups.toReversed()) {
    const bare = letters(captionWords(group));
    if (/nonequity|nonstock/.test(bare)) return "non_equity_incentive";
    if (/^(?:stock|share|shares?based)(?:awards?)?(?:usd?)?$/.test(bare)) return "stock_awards";
    if (/^(?:stock)?options?(?:awards?)?(?:usd?)?$/.test(bare)) return "option_awards";
    if (/allother/.test(bare)) return "other_comp";
    if (/pension.*(?:earnings|value)/.test(bare)) return "pension_change";
  }
  return undefined;
}

/** Reads a column's captions, outermost first, the column's own caption last. */
export function meaningOf(path: readonly string[]): Meaning {
  const own = path.at(-1) ?? "";
  const groups = path.slice(0, -1);
  const leaf = classify(own);
  const group = groupMeaning(groups);
  if (group !== undefined && leaf !== "count" && leaf !== "name" && leaf !== "year") {
    return group;
  }
  if (leaf !== "unknown") return leaf;
  return groups.length === 0 ? "unknown" : classify([...groups, own].join(" "));
}

/** The mark between two kinds of award in one column: "Stock/Option Awards" is both, "Stock Option Awards" is one. */
const STOCK_AND_OPTIONS =
  /(?<=\b(?:stock|shares?|equity|units?|awards?))\s*[/&+]\s*(?=(?:stock\s+)?options?\b)|(?<=\boptions?(?:\s+awards?)?)\s*[/&+]\s*(?=(?:restricted\s+)?(?:stock|shares?|units?)\b)/gi;

function classify(caption: string): Meaning {
  const words = captionWords(caption);
  const bare = letters(
    words
      .replace(/\bUS\b|\bU\.S\.|\bUSD\b|\bin (?:us )?dollars\b|\bin thousands\b/gi, "")
      .replace(STOCK_AND_OPTIONS, " and "),
  );
  if (
    /\(\s*#\s*\)|#\s*(?:of|$)/.test(caption) ||
    /securitiesunderlying|numberof|sharesunderlying|underlyingoptions/.test(bare)
  )
    return "count";
  if (/%|percent/i.test(words)) return "count";
  if (bare === "") return "unknown";
  if (
    /^(?:for)?(?:the)?(?:fiscal|calendar|reporting|reported)?years?(?:s)?(?:ended|ending|end)?(?:[a-z]{3,9})?$|^fiscal$|^fy$|^yrs?$|^period(?:ended)?$|^fiscalperiod$|^(?:fiscal)?yearperiod$/.test(
      bare,
    )
  )
    return "year";
  if (
    /name|^(?:executive)?officersand?position/.test(bare) &&
    !/total|salary|award|compens(?!ated)/.test(bare)
  )
    return "name";
  if (
    /^(?:principal|current|andprincipal)?(?:positions?|titles?|offices?|capacity|occupation)(?:andtitle|s|held|orposition|withcompany|withthecompany)?$|^principalposition/.test(
      bare,
    )
  )
    return "position";
  if (
    /^(?:executives?|(?:executive)?officers?|neos?|individual|person)(?:andtitle|andposition|andprincipalposition)?$/.test(
      bare,
    )
  )
    return "name";
  if (/total/.test(bare)) return totalKind(bare);
  if (bare === "sum" || bare === "aggregatecompensation") return "unknown";
  return component(bare);
}

function totalKind(bare: string): Meaning {
  if (/asreported(?:under|in|per|inthe)?(?:sec|sct|summarycomp)/.test(bare)) return "total_compensation";
  if (
    /without|exclu|less|minus|netof|before|otherthan|adjusted|adjustment|nonsec|realiz|asreported|(?:previously|originally|formerly)reported|target|actual|granted/.test(
      bare,
    )
  )
    return "subtotal";
  if (
    /^(?:the)?(?:sec|sct|grand|corrected|restated|revised)?totals?(?:sum)?(?:compensation|comp|compen|pay|remuneration|earned|amount|earnings)?(?:usd?|dollars?|sec|inus|us)?(?:as)?(?:corrected|restated|revised|amended)?$/.test(
      bare,
    )
  )
    return "total_compensation";
  if (
    /^(?:annual)?totalannual(?:compensation)?$|totalcash|totaldirect|totalequity|totalstock|totalincentive|totalsalary|totallong|totalother|totalall|totalaward|totaloption|totalbonus/.test(
      bare,
    )
  )
    return "subtotal";
  if (/^compensationtotal|^totalcompensation/.test(bare)) return "total_compensation";
  return "unknown";
}

function component(bare: string): Meaning {
  const option = /option|appreciationright|(?:^|[^a-z])sars?(?:award|$)|^sars?|sarsawards?$|warrant/.test(
    bare,
  );
  const stock = /stock|share|rsu|psu|restricted|units?(?:award|grant|s|$)|unitaward|phantom/.test(
    bare.replace(/nonstock|stockoptions?|shareoptions?|stockappreciation/g, ""),
  );
  if (/salaryandbonus|salarybonus|bonusandsalary|restrictedcash|cashretention/.test(bare)) return "unknown";
  // Two columns of the table in one: `Pension and All Other Compensation`.
  if (/(?:and|plus|or)(?:all)?othercomp/.test(bare) && /pension|bonus|nonequity|incentive|award/.test(bare))
    return "unknown";
  // What is paid into a plan is no change in its value, and shares bought through one are no award.
  if (/contribution/.test(bare) && /pension|deferredcomp|retirement|defined/.test(bare)) return "unknown";
  if (/(?:stock|share)purchaseplan/.test(bare)) return "unknown";
  if (/nonequity|nonstock|noneqty|nonequtiy|^neip(?:comp)?$/.test(bare))
    return /bonus(?:es)?and|andbonus/.test(bare) ? "unknown" : "non_equity_incentive";
  if (
    /pension|nqdc|nonqualifieddefer|nonqualifiedcomp|deferredcomp|defferedcomp|defined(?:benefit)|actuarial|retirementvalue|retirementplanvalue/.test(
      bare,
    )
  )
    return "pension_change";
  if (
    /^allother|othercomp|^other$|^otherannual|^others$|allothercom|^otherbenefits?$|^otherremuneration|perquisite|^perqs?$|^miscellaneous/.test(
      bare,
    )
  )
    return "other_comp";
  if (
    /(?:stock|share|equity|unit)(?:awards?)?(?:and|or|andor)?options?awards?$/.test(bare) &&
    /and|or(?=option)/.test(bare)
  )
    return "unknown";
  if (/options?(?:awards?)?(?:and|or|andor)(?:stock|share|unit|restricted)/.test(bare)) return "unknown";
  if (option && stock)
    return /^(?:restricted)?(?:stock|shares?)(?:and|or)/.test(bare)
      ? "unknown"
      : /^(?:stock|share)?options?|appreciation|sar/.test(bare)
        ? "option_awards"
        : "unknown";
  if (option) return "option_awards";
  if (
    /salar|^basepay|^basecomp|^basewages?|^wages|^base$|^feesearned|^consultingfees?|^managementfees?|^guaranteed/.test(
      bare,
    )
  )
    return /bonus/.test(bare) ? "unknown" : "salary";
  if (stock) return /incentiveplan/.test(bare) && !/award/.test(bare) ? "unknown" : "stock_awards";
  if (/bonus/.test(bare)) return "bonus";
  if (bare.startsWith("longtermincentive") && !/cash|plan/.test(bare)) return "unknown";
  if (/incentive|performancebasedcash|performancecash|^mip$|^stip?$|^aip$/.test(bare))
    return /equity/.test(bare) ? "unknown" : "non_equity_incentive";
  return "unknown";
}

/** Marks of the table that was in force before fiscal years ending 15 December 2006. */
export function oldLayoutMarks(captions: readonly string[]): string[] {
  const marks = captions.map((caption) => letters(captionWords(caption)));
  const found = new Set<string>();
  for (const mark of marks) {
    for (const word of [
      "longtermcompensation",
      "ltippayout",
      "securitiesunderlying",
      "otherannualcompensation",
      "annualcompensation",
      "sharesunderlying",
    ]) {
      if (mark.includes(word) && !(word === "annualcompensation" && mark.includes("other"))) found.add(word);
    }
  }
  return [...found];
}

/** Whether captions are those of the Canadian Form 51-102F6. */
export function isCanadian(captions: readonly string[]): boolean {
  const bare = captions.map(letters).join(" ");
  return /share(?:s)?basedaward/.test(bare) && /optionbasedaward/.test(bare);
}
