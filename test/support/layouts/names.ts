import type { Choices } from "./plan.ts";
import type { TruePerson } from "./truth.ts";

const PARTICLES = /^(de|la|van|der|den|von|di|da|du|le)$/i;

/** The name as the filer prints it, without footnote markers. */
export function printedName(person: TruePerson, people: Choices["people"]): string {
  const given = [person.given, person.middle].filter((part) => part !== "").join(" ");
  if (people === "surname-first") return `${person.family}, ${given}`;
  const suffix =
    person.suffix === "" ? "" : person.suffix.endsWith("r.") ? `, ${person.suffix}` : ` ${person.suffix}`;
  const plain = `${given} ${person.family}${suffix}`;
  if (people === "capitals") return plain.toUpperCase();
  if (people !== "honorific") return plain;
  if (person.suffix !== "" || person.given.length % 2 === 0) return `Mr. ${plain}`;
  return person.given.length % 3 === 0 ? `Dr. ${plain}, M.D., Ph.D.` : `${plain}, CPA`;
}

/** The name as defined in `docs/contract.md`, "Executives": `executive_name`. */
export function servedName(person: TruePerson, people: Choices["people"]): string {
  const plain = printedName(person, "plain");
  if (people !== "capitals")
    return people === "surname-first" ? plain.replace(/,? (Jr\.|Sr\.|II|III)$/, "") : plain;
  // Capitals hide how a particle inside the name was written: it becomes lower case.
  return plain
    .split(" ")
    .map((word, at) => (at > 0 && PARTICLES.test(word) ? word.toLowerCase() : word))
    .join(" ");
}

/** The id as defined in `docs/contract.md`, "Executives": `executive_id`, without the suffix rule. */
export function servedId(person: TruePerson): string {
  const words = [person.given, person.middle, person.family]
    .join(" ")
    .normalize("NFD")
    .replace(/[\u0300-\u036f]/g, "")
    .toLowerCase()
    .replace(/['’]/g, "")
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "");
  return words.filter((word, at) => at === 0 || word.length > 1).join("-");
}
