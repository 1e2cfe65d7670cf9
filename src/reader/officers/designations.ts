import { officeOfTitle } from "../../domain/office.ts";
import { escape, lastMention, mentionsOf, namesAnother, type Known } from "./mentions.ts";

const OFFICER =
  "(?:interim |acting |co-)?principal (executive|financial)(?: and (?:principal )?(?:accounting|financial))? officer";
const OURS = "(?:our|the|its|an?|the Company[’']s) ";

/** Sentences that give one person the office by its legal name, whatever the titles of the others are. */
const DESIGNATIONS: readonly RegExp[] = [
  // McCarthy, our principal executive officer; not in a list that names the office first
  new RegExp(
    `(?<!officer,? )⟦(\\d+)⟧,? (?:who (?:is|was) )?(?:our|the Company[’']s) ${OFFICER}(?!,? (?:⟦|\\p{Lu}\\p{Ll}+ \\p{Lu}))`,
    "giu",
  ),
  // our principal executive officer, Hans Birkholz, our principal financial officer, Mark Detillion
  new RegExp(`\\b(?:our|the Company[’']s) ${OFFICER}\\)?, ⟦(\\d+)⟧,`, "giu"),
  // designated Mr. McCarthy as interim principal executive officer
  new RegExp(`\\bdesignat\\w+ ⟦(\\d+)⟧ (?:as|to be) (?:${OURS})?${OFFICER}`, "gi"),
  // Mr. McCarthy was designated as our principal executive officer
  new RegExp(`⟦(\\d+)⟧ (?:was|has been|is) designated (?:as )?(?:${OURS})?${OFFICER}`, "gi"),
  // Ms. Furst is our principal executive officer
  new RegExp(
    `⟦(\\d+)⟧(?:, [^⟦().;]{0,60},)? (?:is|was|serves|served|acts|has served) (?:considered |deemed |as |to be ){0,2}(?:our|the|the Company[’']s) ${OFFICER}`,
    "gi",
  ),
  // McCarthy Office of the Chief Executive Officer (and principal executive officer)
  new RegExp(`⟦(\\d+)⟧([^⟦().;]{0,80})\\((?:and |our )?${OFFICER}\\)`, "gi"),
];

/** Whom a sentence expressly makes principal officer; the nearest name counts, and nobody's name may stand between. */
export function designated(people: readonly Known[], passages: readonly string[]): Map<string, string> {
  const out = new Map<string, string>();
  if (people.length === 0) return out;
  const mentions = mentionsOf(people);
  for (const passage of passages) {
    if (!/\bprincipal\s+(?:executive|financial)/i.test(passage)) continue;
    const named = passage.replace(mentions.pattern, (word) => mentions.token(word));
    for (const pattern of DESIGNATIONS) {
      for (const match of named.matchAll(pattern)) {
        const [text, ...groups] = match;
        const index = groups.find((group) => /^\d+$/.test(group));
        const office = groups.some((group) => /^executive$/i.test(group)) ? "peo" : "pfo";
        const between = groups.length === 3 ? (groups[1] ?? "") : "";
        // Who signs bears the office on the day of the filing, not in its fiscal year.
        const around = named.slice(Math.max(0, match.index - 300), match.index + text.length + 200);
        if (namesAnother(between) || /\/s\/|attorney-in-fact|pursuant to the requirements/i.test(around))
          continue;
        out.set(
          `${index} ${office}`,
          text.replace(/⟦(\d+)⟧/g, (_, at) => people.find((one) => one.index === Number(at))?.name ?? "…"),
        );
      }
    }
  }
  return out;
}

/** Whom the text itself calls principal officer: `(Principal Executive Officer)` behind a signature or a name. */
export function signed(people: readonly Known[], passages: readonly string[]): Map<string, string> {
  const out = new Map<string, string>();
  const near =
    /\(?\bprincipal\s+(executive|financial)(?:\s+(?:officer\s+)?(?:and|&)\s+(?:principal\s+)?(executive|financial|accounting)(?:\s+(?:and|&)\s+accounting)?)?\s+officer/gi;
  for (const passage of passages) {
    for (const match of passage.matchAll(near)) {
      // `Our principal financial officer is Tom Ash`: the name follows; otherwise it stands before, as under a signature.
      const behind = passage.slice(match.index + match[0].length, match.index + match[0].length + 110);
      const follows = /^\s+(?:is|was|has been)\b|^,\s+\p{Lu}\p{Ll}+\s+\p{Lu}[^,]{1,30},/u.test(behind);
      const reach = match[0].startsWith("(") ? 220 : 120;
      const around = follows ? behind : passage.slice(Math.max(0, match.index - reach), match.index);
      const places = people
        .map((person) => ({ person, ...lastMention(around, person.name) }))
        .filter((one) => one.at >= 0)
        .sort((a, b) => (follows ? a.at - b.at : b.at - a.at));
      const last = places[0];
      // Out of brackets the office belongs to a name of the same sentence.
      const apart =
        !follows &&
        last !== undefined &&
        !match[0].startsWith("(") &&
        /\p{Ll}{2}[.;]\s+\p{Lu}/u.test(around.slice(last.at));
      if (last === undefined || apart || (!follows && namesAnother(around.slice(last.end)))) continue;
      for (const word of [match[1], match[2]]) {
        const office =
          word?.toLowerCase() === "executive"
            ? "peo"
            : word?.toLowerCase() === "financial"
              ? "pfo"
              : undefined;
        if (office !== undefined)
          out.set(`${last.person.index} ${office}`, `${last.person.name} (${match[0].replace(/^\(/, "")})`);
      }
    }
  }
  listed(people, passages, out);
  return out;
}

/** Whose name is followed by the office in a list of officers or under a signature: `Jane Doe 64 President, Chief Executive Officer and Chief Financial Officer`. */
function listed(people: readonly Known[], passages: readonly string[], out: Map<string, string>): void {
  for (const person of people) {
    const words = person.name.replace(/,.*$/, "").split(" ");
    const name = new RegExp(
      `\\b${escape(words[0] ?? "")}\\b[^,;()]{0,25}\\b${escape(words.at(-1) ?? "")}\\b`,
      "gi",
    );
    for (const passage of passages) {
      for (const match of passage.matchAll(name)) {
        const behind = passage.slice(match.index + match[0].length, match.index + match[0].length + 170);
        const titles =
          /^[,\s]*(?:\(?\d{2}\)?[,\s]+)?(?:our\s+)?((?:(?:and|of|the|&|[A-Z][\w./-]*),?\s*){2,})/.exec(
            behind,
          )?.[1];
        if (
          titles === undefined ||
          people.some((other) => other !== person && titles.includes(other.name.split(" ").at(-1) ?? " "))
        )
          continue;
        const held = officeOfTitle(titles.replace(/\bOfficer (?=Chief)/g, "Officer, "));
        for (const office of ["peo", "pfo"] as const)
          if (held[office] && !out.has(`${person.index} ${office}`))
            out.set(`${person.index} ${office}`, `${person.name}, ${titles.trim()}`);
      }
    }
  }
}
