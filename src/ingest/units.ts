import type { Candidate } from "./select.ts";

/** What the printed numbers stand for. */
export interface Units {
  /** 1, 1,000 or 1,000,000 units of the currency a printed one. */
  readonly scale: number;
  /** ISO 4217. */
  readonly currency: string;
  /** The words that said so. */
  readonly scaleText: string | null;
  readonly unclear: boolean;
}

const THOUSANDS =
  /\b(?:in|stated in|expressed in)\s+(?:US |U\.S\. |Canadian )?(?:dollars\s+in\s+)?thousands\b|\(\s*\$?\s?(?:in )?(?:000s?|0{3}['’]?s)\s*\)|(?:[$€£¥]|\b(?:RMB|USD|CAD|EUR|GBP|HK\$|NIS))\s?['’]?000['’]?s?\b|\$\(000\)|['’]000s?\b|\b000['’]?s?\s+omitted\b|\((?:US)?\$\s?K\)|\([^()]{0,30}(?<!\b(?:shares|units) (?:in )?)\bthousands\)|\bthousands of (?:US |U\.S\. |Canadian )?dollars\b/i;
/** Words that speak of thousands in a way that is not known: rounding to the nearest one is no scale. */
const HINTS = /(?<!nearest )\bthousands?\b(?! of shares)|\b000['’]?s\b|\$K\b/i;
const MILLIONS = /\b(?:in|stated in|expressed in)\s+millions\b|\$\s?millions\b/i;

// No letter may follow a code, but figures may: `(RMB000)`.
const CURRENCIES: readonly (readonly [RegExp, string])[] = [
  [/\b(?:Canadian dollars|C\$|CDN\$|CAD)(?![a-z])|C\$|Cdn\s?\$/i, "CAD"],
  [/€|\beuros?\b|\bEUR(?![a-z])/i, "EUR"],
  [/£|\bpounds? sterling\b|\bGBP(?![a-z])/i, "GBP"],
  [/\bRMB(?![a-z])|\bRenminbi\b|\bCNY(?![a-z])/i, "CNY"],
  [/\bHK\$|\bHong Kong dollars\b|\bHKD\b/i, "HKD"],
  [/\bA\$|\bAustralian dollars\b|\bAUD\b/i, "AUD"],
  [/\bSwiss francs\b|\bCHF\b/i, "CHF"],
  [/\bNew Israeli Shekels?\b|\bNIS\b|\bILS\b/i, "ILS"],
  [/¥|\bJapanese yen\b|\bJPY\b/i, "JPY"],
];

/** The words from the table's own heading on, or the last ones before the table. */
function aboveOf(heading: string): string {
  const at = heading.toLowerCase().lastIndexOf("summary compensation");
  return at >= 0 && heading.length - at < 600 ? heading.slice(at) : heading.slice(-220);
}

/** Reads scale and currency from the captions, the title rows and the last words before the table. */
export function readUnits(table: Candidate): Units {
  const captions = table.sections.flatMap((section) =>
    section.columns.filter((column) => column.meaning !== "count").flatMap((column) => column.path),
  );
  const titles = table.sections.flatMap((section) => section.titles);
  const corner = [...captions, ...titles].join(" | ");
  const above = aboveOf(table.heading);
  const own = captions.filter((caption) => THOUSANDS.test(caption)).length;
  const said = THOUSANDS.exec(corner) ?? THOUSANDS.exec(above);
  const millions =
    MILLIONS.exec(corner) ??
    (/\(\s*(?:\$|dollars)?\s*in millions\s*\)\s*$/i.exec(above.trim()) === null
      ? null
      : MILLIONS.exec(above));
  const scale = said === null ? (millions === null ? 1 : 1_000_000) : 1000;
  const dollars = /\$|dollars|USD/i.test(corner) || /US\$|U\.S\. dollars/i.test(above);
  const foreign =
    CURRENCIES.find(([pattern]) => pattern.test(corner)) ??
    (dollars && !/\$/.test(corner)
      ? undefined
      : CURRENCIES.find(
          ([pattern]) =>
            pattern.test(above.slice(-160)) &&
            /\b(?:in|expressed|stated|amounts)\b/i.test(above.slice(-160)) &&
            !/US\$|U\.S\. dollars/i.test(above),
        ));
  const us = /US\$|U\.S\.\s?\$|USD|U\.S\. dollars/i.test(corner);
  return {
    scale,
    currency: us ? "USD" : (foreign?.[1] ?? "USD"),
    scaleText: (said ?? millions)?.[0] ?? null,
    unclear:
      (said === null && HINTS.test(`${corner} ${above.slice(-160)}`)) ||
      (own > 0 &&
        own <
          table.sections
            .flatMap((section) => section.columns)
            .filter((column) => column.meaning === "total_compensation" || column.meaning === "salary")
            .length),
  };
}
