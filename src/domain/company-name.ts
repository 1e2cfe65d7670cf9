/** Company names as people write them; data keeps the registrant's spelling. */

/** What EDGAR appends to tell registrants apart: `/DE/`, ` /NEW/`, `\TX\`, `/ADR`, possibly truncated or empty. Not Denmark's `A/S`. */
const SUFFIX = /(?<!\bA)\s*[/\\]\s?([A-Z]{0,4}|(Cayman|Marshall)( Islands)?|Canada|Delaware)\s*[/\\]?$/i;

/** Legal forms in names in capitals, including those that a list has truncated. */
const FORMS: Readonly<Record<string, string>> = {
  INC: "Inc.",
  IN: "Inc.",
  INCORPORATED: "Incorporated",
  CORP: "Corp.",
  COR: "Corp.",
  CO: "Co.",
  COS: "Cos.",
  LTD: "Ltd.",
  PLC: "plc",
  FUN: "Fund",
  BANCOR: "Bancorp",
  PARTNERSHI: "Partnership",
};
/** Truncated legal forms: recognized only at the end of a name. */
const CUT_OFF: ReadonlySet<string> = new Set(["IN", "COR", "FUN", "BANCOR", "PARTNERSHI"]);
/** Words in lower case unless they come first. */
const SMALL = new Set("and of the for in at on by to de la".split(" "));
/** Words that are as short as most abbreviations but are none. */
const SHORT = new Set(
  (
    "ace act age aid air all and any arc art bay bed big bio box boy bus buy can cap car cat cup day dry due eco " +
    "eye far fat fit fix fly fox fun gap gas get gem gun hat her hey hot ice ink inn jet job joy key kid lab law lee leo " +
    "lux mad man map max may men net new nor now oak off oil old one our out own pan pay pen pet pie pop pro ray red " +
    "rex ride rio roc row sea set sky sol sow sub sun tax tea tel ten the tie tin tip top toy two van vet via war wax " +
    "way web win yes you zoo am as an be do fe go he if is it me my no or re so st up us we ltd inc corp co mt el la le los " +
    "las san dr ft jr sr dow del dot rad bob bar par end non mid com bel ion non tor"
  ).split(" "),
);
/** Names whose capitals follow no rule. */
const SPELLINGS: Readonly<Record<string, string>> = {
  EBAY: "eBay",
  CACI: "CACI",
  AGCO: "AGCO",
  MGIC: "MGIC",
  REIT: "REIT",
  TIAA: "TIAA",
  PAYPAL: "PayPal",
  MERCADOLIBRE: "MercadoLibre",
};

/** A company's name as people write it: `MATTEL INC /DE/` is `Mattel, Inc.`, `Hershey Co/The` is `The Hershey Co.` */
export function companyName(registered: string): string {
  const ended = registered.trim().replace(/^(.+)\/The$/i, "The $1");
  const plain = ended.replace(SUFFIX, "").trim() || ended;
  return /\p{Ll}/u.test(plain.replace(/^The /, "")) ? abbreviated(plain) : fromCapitals(plain);
}

/** With the full stop that belongs to an abbreviated legal form. */
function abbreviated(name: string): string {
  return name.replace(
    / (Inc|Corp|Co|Cos|Ltd)$/i,
    (_, form: string) => ` ${FORMS[form.toUpperCase()] ?? form}`,
  );
}

function fromCapitals(name: string): string {
  const words = name.split(/\s+/);
  const written = words.map((word, at) => {
    const bare = word.replace(/[.,]+$/, "");
    const form = at === 0 || (at < words.length - 1 && CUT_OFF.has(bare)) ? undefined : FORMS[bare];
    const comma = word.endsWith(",") ? "," : "";
    return form === undefined ? wordOf(word, at === 0) : form + comma;
  });
  // `Mattel, Inc.`, but `Tiffany & Co., Inc.` has it already.
  return written.join(" ").replace(/(?<![,&]) Inc\.(?=$|,)/, ", Inc.");
}

/** A word in capitals, with each of its parts as `CLEVELAND-CLIFFS` has them. */
function wordOf(word: string, isFirst: boolean): string {
  const known = SPELLINGS[word];
  if (known !== undefined) return known;
  if (!isFirst && SMALL.has(word.toLowerCase())) return word.toLowerCase();
  return word
    .split(/(?=[-/(])|(?<=[-/(])/)
    .map((part) => partOf(part))
    .join("");
}

function partOf(part: string): string {
  const domain = /^(\w+)(\.(COM|NET|ORG))([.,]?)$/.exec(part);
  if (domain) return partOf(domain[1] ?? "") + (domain[2] ?? "").toLowerCase() + (domain[4] ?? "");
  const letters = part.replaceAll(/[^\p{L}]/gu, "");
  const isAbbreviation =
    /[\d&]|(?<!\p{L})\p{L}\.\p{L}(?!\p{L})/u.test(part) ||
    /^[IVX]+$/.test(letters) ||
    (letters.length > 1 && !/[AEIOUY]/.test(letters)) ||
    (letters.length <= 3 && !SHORT.has(letters.toLowerCase()));
  if (isAbbreviation) return part;
  const lower = part.toLowerCase();
  return lower
    .replace(/\p{L}/u, (first) => first.toUpperCase())
    .replace(/^(Mc|O['’])(\p{L})/u, (_, before: string, letter: string) => before + letter.toUpperCase());
}
