import { CAPTIONS } from "./lexicon.ts";
import { random } from "./random.ts";
import { PRINTED_COMPONENTS, type PrintedComponent } from "../../../src/domain/row-fields.ts";
import { drawTruth, type Scale, type Truth } from "./truth.ts";

/** How names, titles and years share the rows: the layout families. */
export const FAMILIES = [
  "rowspan",
  "repeat",
  "blank",
  "absent",
  "title-row",
  "title-alone",
  "name-band",
  "wrap",
  "title-rowspan",
  "year-under-name",
  "year-beside-name",
  "stacked",
  "position-rowspan",
  "position-repeat",
  "position-blank",
  "year-first",
  "pre",
  "pre-leaders",
] as const;
export type Family = (typeof FAMILIES)[number];

/** Whose HTML style it imitates. */
export const MARKUPS = [
  "plain",
  "workiva",
  "workiva-old",
  "donnelley",
  "toppan",
  "novaworks",
  "word",
] as const;
export type Markup = (typeof MARKUPS)[number];

/** Tables near the real one that a search may mistake for it. */
export const DECOYS = [
  "contents",
  "pay-versus-performance",
  "directors",
  "grants",
  "outstanding",
  "realized",
  "committee-view",
  "other-breakdown",
  "potential-payments",
  "pension-benefits",
  "financials",
] as const;
export type Decoy = (typeof DECOYS)[number];

/**
 * Every choice of a layout as data, with the harmless option first; a smaller case is one with more harmless choices.
 */
export const CHOICES = {
  header: ["one-row", "split-rows", "breaks"],
  letters: ["none", "top", "bottom"],
  spacers: [false, true],
  dollars: ["none", "cell-first", "cell-all", "glued", "glued-space", "us"],
  noteStyle: [
    "none",
    "sup",
    "sup-digit",
    "css-super",
    "raised",
    "small-paren",
    "paren",
    "own-cell",
    "star",
    "class",
  ],
  empty: ["—", "-", "–", "--", "−", "", "N/A", "Nil", "-0-", "0", "n/a", "$—", "None"],
  cents: ["none", "zeros", "true"],
  thousands: ["none", "header", "caption", "heading"],
  currency: ["USD", "USD-words", "CAD", "GBP", "EUR", "CNY"],
  nonEquity: ["one", "subtotal", "subtotal-group", "subtotal-plain"],
  stock: ["one", "rsu-psu"],
  pension: ["one", "split"],
  afterTotal: [false, true],
  yearLabel: [
    "2024",
    "FY2024",
    "FY24",
    "FY 2024",
    "Fiscal 2024",
    "2023-24",
    "2023-2024",
    "2023/24",
    "12/31/2024",
    "December 31, 2024",
    "Jan 31, 2024",
    "noted",
    "FP24",
    "Fiscal Period 2024",
  ],
  negative: ["parens", "minus", "parens-cell"],
  split: ["none", "header", "headless", "mid-blank", "mid-continued", "same-table"],
  people: ["plain", "capitals", "surname-first", "honorific"],
  titleJoin: ["break", "comma", "block", "dash"],
  hidden: [false, true],
  ixbrl: [false, true],
  ecd: ["none", "right", "wrong"],
  brokenWords: [false, true],
  zeroWidth: [false, true],
  blankRows: [false, true],
  sections: [false, true],
  upperCaptions: [false, true],
  heading: ["table", "plain-words", "with-year", "in-table", "other-words", "none"],
  characters: ["entities", "named", "raw", "windows-1252"],
  submission: [false, true],
  long: [false, true],
  undated: [false, true],
} as const;
export type Choices = { readonly [K in keyof typeof CHOICES]: (typeof CHOICES)[K][number] };

/** One document to be written: true rows and every choice of layout, as plain data. */
export interface Plan {
  readonly seed: number;
  readonly family: Family;
  readonly markup: Markup;
  readonly truth: Truth;
  readonly captions: Readonly<
    Record<PrintedComponent | "name" | "position" | "year" | "total", readonly string[]>
  >;
  readonly choices: Choices;
  readonly before: readonly Decoy[];
  readonly after: readonly Decoy[];
}

/** Draws the plan of one document. The same seed always draws the same plan. */
export function drawPlan(seed: number): Plan {
  const r = random(seed);
  const scale: Scale = r.pick(["large", "large", "large", "small", "small", "shell"] as const);
  const family = r.pick(FAMILIES);
  const thousands = r.chance(0.1) ? r.pick(CHOICES.thousands.slice(1)) : "none";
  const cents = thousands === "none" && r.chance(0.07) ? r.pick(["zeros", "true"] as const) : "none";
  const unit = thousands !== "none" ? 100_000 : cents === "true" ? 1 : 100;
  const truth = drawTruth(r, thousands !== "none" ? "large" : scale, unit, r.chance(0.08));
  const captions = Object.fromEntries(
    Object.entries(CAPTIONS).map(([key, list]) => [key, r.pick(list as readonly (readonly string[])[])]),
  );
  const some = <T>(share: number, list: readonly T[]): T => {
    const harmless = list[0];
    if (harmless === undefined) throw new Error("A choice needs a harmless member");
    return r.chance(share) ? r.pick(list) : harmless;
  };
  const choices: Choices = {
    header: r.pick(CHOICES.header),
    letters: some(0.15, CHOICES.letters),
    spacers: r.chance(0.35),
    dollars: some(0.7, CHOICES.dollars),
    noteStyle: some(0.7, CHOICES.noteStyle),
    empty: some(0.6, CHOICES.empty),
    cents,
    thousands,
    currency: some(0.12, CHOICES.currency),
    nonEquity: some(0.15, CHOICES.nonEquity.slice(0, 3)),
    stock: some(0.12, CHOICES.stock),
    pension: some(0.08, CHOICES.pension),
    afterTotal: r.chance(0.08),
    yearLabel: some(0.35, CHOICES.yearLabel.slice(0, 12)),
    negative: r.pick(CHOICES.negative),
    split: some(0.2, CHOICES.split),
    people: some(0.25, CHOICES.people),
    titleJoin: some(0.5, CHOICES.titleJoin),
    hidden: r.chance(0.1),
    ixbrl: r.chance(0.12),
    ecd: some(0.4, CHOICES.ecd),
    brokenWords: r.chance(0.15),
    zeroWidth: r.chance(0.08),
    blankRows: r.chance(0.3),
    sections: r.chance(0.06),
    upperCaptions: r.chance(0.12),
    heading: some(0.6, CHOICES.heading),
    characters: r.pick(CHOICES.characters),
    submission: r.chance(0.1),
    long: r.chance(0.02),
    undated: false,
  };
  const decoys = r.shuffle(DECOYS).slice(0, r.int(0, 6));
  const cut = r.int(0, decoys.length);
  const late = drawLate(seed);
  return settle({
    seed,
    family,
    markup: r.pick(MARKUPS),
    truth,
    // One entry for each key of CAPTIONS, which are the keys of the type.
    captions: { ...(captions as unknown as Plan["captions"]), ...late.captions },
    choices: { ...choices, ...late.choices },
    before: decoys.slice(0, cut),
    after: decoys.slice(cut),
  });
}

/**
 * Choices with their own source of randomness, added after the first layouts, so that the rest of a seed's plan stays
 * the same.
 */
function drawLate(seed: number): { choices: Partial<Choices>; captions: Partial<Plan["captions"]> } {
  const r = random(seed ^ 0x1a7e);
  const period = r.chance(0.05);
  return {
    choices: {
      ...(r.chance(0.06) ? { nonEquity: "subtotal-plain" as const } : {}),
      ...(period ? { yearLabel: r.pick(["FP24", "Fiscal Period 2024", "2024"] as const) } : {}),
      ...(r.chance(0.04) ? { undated: true } : {}),
    },
    captions: period ? { year: r.pick([["Fiscal", "Period"], ["Fiscal Period"], ["Period"]]) } : {},
  };
}

/** Reverts combinations that a careful reader could not resolve either, so that a failure is always the reader's. */
export function settle(plan: Plan): Plan {
  const { family, truth } = plan;
  let c = plan.choices;
  const set = (change: Partial<Choices>) => {
    c = { ...c, ...change };
  };
  const pre = family === "pre" || family === "pre-leaders";
  const stacked = family === "stacked";
  // A column of blanks stacked by line breaks, or in fixed width, does not show which year is empty.
  if ((stacked || pre || family === "absent") && c.empty === "") set({ empty: "—" });
  if (pre) {
    if (c.nonEquity === "subtotal-group") set({ nonEquity: "subtotal" });
    if (!["none", "paren", "star"].includes(c.noteStyle)) set({ noteStyle: "paren" });
    if (c.negative === "parens-cell") set({ negative: "parens" });
    set({ hidden: false, ixbrl: false, brokenWords: false, zeroWidth: false, letters: "none" });
    if (c.heading === "in-table") set({ heading: "table" });
    if (["mid-blank", "mid-continued", "same-table"].includes(c.split)) set({ split: "header" });
    if (c.yearLabel === "December 31, 2024") set({ yearLabel: "12/31/2024" });
  }
  // A name that is not repeated cannot be continued on the next page if rows contain only the year.
  if (
    [
      "absent",
      "stacked",
      "wrap",
      "title-rowspan",
      "title-row",
      "title-alone",
      "year-under-name",
      "year-beside-name",
      "position-rowspan",
    ].includes(family)
  ) {
    if (c.split === "mid-blank" || c.split === "mid-continued") set({ split: "header" });
  }
  // A page that starts without a header and without a name cell could belong to any table.
  if (family === "absent" && c.split === "headless") set({ split: "header" });
  if (c.split === "mid-blank" && ["repeat", "position-repeat", "year-first"].includes(family))
    set({ split: "headless" });
  if (family === "year-beside-name" || family === "year-under-name") {
    if (!["2024", "FY2024", "FY 2024", "Fiscal 2024"].includes(c.yearLabel)) set({ yearLabel: "2024" });
  }
  // "Surname, Given" with a title joined by a comma is ambiguous.
  if (c.people === "surname-first" && c.titleJoin !== "break") set({ titleJoin: "break" });
  // A suffix has no fixed place in a name that starts with the surname.
  if (c.people !== "plain" && c.people === "surname-first" && truth.people.some((p) => p.suffix !== ""))
    set({ people: "plain" });
  if (c.stock === "rsu-psu" && !truth.columns.includes("stock_awards")) set({ stock: "one" });
  if (c.nonEquity !== "one" && !truth.columns.includes("non_equity_incentive")) set({ nonEquity: "one" });
  if (c.pension === "split" && !truth.columns.includes("pension_change")) set({ pension: "one" });
  // Letters represent the ten columns of the rule; a table with its own columns has none.
  if (c.nonEquity !== "one" || c.stock !== "one" || c.pension !== "one" || c.afterTotal)
    set({ letters: "none" });
  if (c.currency !== "USD" && c.currency !== "USD-words" && c.dollars === "us") set({ dollars: "none" });
  // Tags on pay versus performance came with fiscal 2022; periods here are calendar years in dollars.
  if (truth.newest < 2022 || c.currency !== "USD" || c.yearLabel.includes("31") || pre) set({ ecd: "none" });
  if (c.thousands !== "none") set({ cents: "none" });
  if (c.undated && !canBeUndated(plan)) set({ undated: false });
  if (c.undated) {
    // Only the heading states the year, once for all.
    set({ heading: "with-year", yearLabel: "2024", split: "none", letters: "none", ecd: "none" });
    const people = truth.people.map((person) => ({ ...person, years: person.years.slice(0, 1) }));
    return { ...plan, choices: c, truth: { ...truth, people } };
  }
  // Two or three columns of amounts below no heading could be any table.
  if (truth.columns.length < 3 && (c.heading === "none" || c.heading === "other-words"))
    set({ heading: "table" });
  return { ...plan, choices: c };
}

function canBeUndated({ family, truth }: Plan): boolean {
  return (
    ["rowspan", "repeat", "blank", "position-rowspan", "position-repeat", "position-blank"].includes(
      family,
    ) &&
    truth.columns.length > 2 &&
    truth.people.every((person) => person.years[0]?.year === truth.newest && person.years[0].total !== null)
  );
}

/** The choices that are not harmless, for the failure message. */
export function traps(plan: Plan): string[] {
  const out: string[] = [`family=${plan.family}`, `markup=${plan.markup}`];
  // The keys of CHOICES are the keys of Choices.
  for (const key of Object.keys(CHOICES) as (keyof Choices)[]) {
    if (plan.choices[key] !== CHOICES[key][0]) out.push(`${key}=${String(plan.choices[key])}`);
  }
  for (const decoy of plan.before) out.push(`before:${decoy}`);
  for (const decoy of plan.after) out.push(`after:${decoy}`);
  const missing = PRINTED_COMPONENTS.filter((field) => !plan.truth.columns.includes(field));
  if (missing.length > 0) out.push(`without=${missing.join("+")}`);
  return out;
}
