/**
 * Finds jargon that readers would have to look up, and broken citations.
 *
 *     bun scripts/words.ts   prints each as `file:line message`, exits 1 if there are any
 *
 * Identifiers are banned only as names, so only code is searched for them: `over` in a sentence is English. Phrases are
 * banned in everything that people read: strings, comments, pages and documents.
 */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { blank } from "./layers.ts";

/** Banned identifiers, and what to call the thing instead. */
export const IDENTIFIERS: Readonly<Record<string, string>> = {
  crop: "fetchFilings",
  harvest: "fetchFilings",
  Workplace: "IngestContext",
  Politeness: "RateLimiter",
  SeenReadings: "ParseCache",
  Readers: "WorkerPool",
  Seat: "slot",
  whyNone: "explainRejection",
  rubbish: "invalidBody",
  otherwise: "fallback",
  speakers: "eligibleObservations",
  FlagGround: "basis",
  tails: "rowJson",
  Ambient: "Runtime",
  Call: "RequestContext",
  CallOf: "RequestContext",
  Door: "AccessPolicy",
  Soon: "MaybePromise",
  whileCounted: "withRateLimitInfo",
  lateBody: "streamedBody",
  directRoad: "fastPath",
  shortRoad: "fastPath",
  longCall: "slowPath",
  Era: "protocolVersion",
  SAYINGS: "errorMessages",
  Joining: "SignUp",
  Visitor: "BrowserSession",
  ComeBack: "RetryAfter",
  borrow: "installTool",
  borrowed: "externalTools",
  dishonesty: "invariantViolations",
  dice: "SeededRandom",
  Deed: "AuditEvent",
  recordDeed: "recordAuditEvent",
  Shelf: "ChargeStorage",
  Passage: "EdgeRequest",
  UnderWay: "PendingRequests",
  SlowAnswer: "AnswerTimeout",
  keptPer: "memoizePerDb",
  nobodys: "dummyHash",
  examineOneself: "runDoctor",
  IngestWish: "IngestRequest",
};

/**
 * Identifiers banned in the reader because the field has its own name for the thing; elsewhere they may be good names.
 */
export const READER_IDENTIFIERS: Readonly<Record<string, string>> = {
  torn: "ambiguous",
  loose: "unassigned",
  straighten: "alignRow",
  remember: "learnOffsets",
  FURNITURE: "PAGE_ARTIFACTS",
  captions: "columnHeaders",
  unmark: "stripFootnoteMarkers",
  DatedSpan: "OfficeTerm",
  bears: "holdsTitle",
  over: "former",
  brief: "interim",
  strangers: "unmatchedTags",
  calledSo: "officeFromText",
  stands: "isFallbackTitle",
  precedents: "precedingPages",
  Carried: "continuation",
};

/** Banned phrases, and what to say instead. Case is ignored. */
export const PHRASES: Readonly<Record<string, string>> = {
  "what is held": "covered companies",
  "year is not held": "year is not loaded yet",
  "filings are not held": "filings are not loaded yet",
  "rows is held": "rows are available",
  "years held": "fiscal years",
  "not to be had": "unavailable",
  "breaks a promise": "violates an invariant",
  "broken promise": "violated invariant",
  "100 given once": "100 free credits",
  "however many years": "any number of years",
  "goes on for a week": "keep the old key active for 1 week",
  "put your key in the place of": "replace … with your key",
  "credits charged a day": "credits used per day",
  "stands in this list": "is in this list",
  "its own word": "unverified",
  "checks that agreed": "validation",
  "typed by eye": "entered manually",
  "read by eye": "entered manually",
  "one word too many": "unexpected argument",
  "no accounts are made here": "registration is by invitation",
  "this link is over": "this link has expired",
  "signed by nobody": "unsigned",
  "mend the argument": "fix the argument",
  "rate window": "rate limit",
  "year's crop": "a year of filings",
};

/** One thing to change. */
export interface Finding {
  file: string;
  line: number;
  message: string;
}

const REGEX_LITERAL = /(?<=[=(,:!&|?{}[;>]\s*)\/(?![*/])(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/g;
const CITATION =
  /(?<![\w./[-])(?<path>[\w./-]*\b[\w-]+\.md)`?(?:\)?,? (?:"(?<heading>[^"\n]+)"|\\"(?<escaped>[^"\n]+)\\"|(?<number>\d\.\d\b|(?:T|TL|R|A|K|P)-\d+)))?/g;

/** Banned identifiers in the code of one TypeScript file. */
export function bannedIdentifiers(file: string, source: string): Finding[] {
  const code = blank(source).replace(REGEX_LITERAL, (text) => " ".repeat(text.length));
  const banned = file.startsWith("src/reader/") ? { ...IDENTIFIERS, ...READER_IDENTIFIERS } : IDENTIFIERS;
  return [...code.matchAll(/[A-Za-z_$][\w$]*/g)].flatMap(({ 0: name, index }) =>
    Object.hasOwn(banned, name)
      ? [{ file, line: lineAt(source, index), message: `the name "${name}": say ${banned[name]}` }]
      : [],
  );
}

/** Banned identifiers that a document quotes as code, in backticks. */
export function bannedCode(file: string, text: string): Finding[] {
  return [...text.matchAll(/`([A-Za-z]\w*)`/g)].flatMap(({ 1: name = "", index }) =>
    Object.hasOwn(IDENTIFIERS, name)
      ? [{ file, line: lineAt(text, index), message: `\`${name}\`: it is ${IDENTIFIERS[name]} now` }]
      : [],
  );
}

/** Banned phrases in the text of one file, even if a line break or a comment's star separates their words. */
export function bannedPhrases(file: string, text: string): Finding[] {
  return Object.entries(PHRASES).flatMap(([phrase, better]) => {
    const words = phrase.split(" ").map((word) => RegExp.escape(word));
    const pattern = new RegExp(`(?<!\\w)${words.join("(?:\\s|\\n \\*|\\n//)+")}`, "gi");
    return [...text.matchAll(pattern)].map(({ index }) => ({
      file,
      line: lineAt(text, index),
      message: `"${phrase}": say "${better}"`,
    }));
  });
}

/** Citations of documents, or of their sections, that do not exist. */
export function brokenCitations(file: string, text: string, root: string): Finding[] {
  return [...text.matchAll(CITATION)].flatMap((match) => {
    const { path = "", heading, escaped, number } = match.groups ?? {};
    // Files of packages, ours and third-party ones.
    if (/^(?:node_modules|package)\//.test(path)) return [];
    // This script writes pages whose links are relative to docs/.
    const from = file === "scripts/docs.ts" ? "docs" : dirname(file);
    const found = [join(root, path), join(root, from, path)].find((place) => existsSync(place));
    const line = lineAt(text, match.index);
    if (found === undefined) return [{ file, line, message: `${path} is not in the repository` }];
    const section = heading ?? escaped ?? number;
    if (section === undefined || hasSection(readFileSync(found, "utf8"), section)) return [];
    return [{ file, line, message: `${path} has no section ${section}` }];
  });
}

/** Source files named by a document that do not exist: `src/server/app.ts`, or the end of a path. */
export function missingSources(file: string, text: string, tracked: readonly string[]): Finding[] {
  return [...text.matchAll(/`((?:[\w-]+\/)*\w[\w.-]*\.ts)`/g)].flatMap(({ 1: name = "", index }) =>
    tracked.some((path) => path === name || path.endsWith(`/${name}`))
      ? []
      : [{ file, line: lineAt(text, index), message: `${name} is not in the repository` }],
  );
}

/** Links of a document to headings that do not exist: `[price](contract.md#price)`. */
export function brokenAnchors(file: string, text: string, root: string): Finding[] {
  return [...text.matchAll(/\]\((?!\w+:)([^)#\s]*)#([^)\s]+)\)/g)].flatMap(
    ({ 1: path = "", 2: anchor = "", index }) => {
      const target = path === "" ? join(root, file) : join(root, dirname(file), path);
      const headings = existsSync(target) ? readFileSync(target, "utf8").matchAll(/^#+ (.+)$/gm) : [];
      return [...headings].some(([, heading = ""]) => anchorOf(heading) === anchor)
        ? []
        : [{ file, line: lineAt(text, index), message: `${path}#${anchor} is not a heading` }];
    },
  );
}

/** The anchor that GitHub gives a heading. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\w\- ]/g, "")
    .replaceAll(" ", "-");
}

/** Whether a document has a heading of that name or number, or a table row of that id. */
function hasSection(text: string, section: string): boolean {
  const name = RegExp.escape(section);
  return new RegExp(`^(?:#+ (?:${name}$|${name} )|\\| ${name} \\|)`, "m").test(text);
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}

/** Comments and documents that point outside the repository, at the folder beside it. */
export function outsideCitations(file: string, text: string): Finding[] {
  return text.split("\n").flatMap((line, at) => {
    const isProse = file.endsWith(".md") || /^\s*(?:\/\*\*|\*|\/\/)/.test(line);
    return isProse && /\.\.\/shared\b/.test(line)
      ? [{ file, line: at + 1, message: "../shared is not part of the repository: say what it is" }]
      : [];
  });
}

/** All broken citations under a folder. */
export function checkCitations(root: string): Finding[] {
  const texts = textsOf(root);
  const tracked = [...texts.map(({ file }) => file), "scripts/words.ts", "test/scripts/words.test.ts"];
  return texts.flatMap(({ file, text }) => [
    ...brokenCitations(file, text, root),
    ...outsideCitations(file, text),
    ...(file.endsWith(".md")
      ? [...missingSources(file, text, tracked), ...brokenAnchors(file, text, root)]
      : []),
  ]);
}

/** All findings under a folder. */
export function checkWords(root: string): Finding[] {
  const found = textsOf(root).flatMap(({ file, text }) => [
    ...(file.endsWith(".ts") ? bannedIdentifiers(file, text) : bannedCode(file, text)),
    ...bannedPhrases(file, text),
  ]);
  return [
    ...found,
    ...checkCitations(root),
    ...longChanges(readFileSync(join(root, "CHANGELOG.md"), "utf8")),
  ];
}

/** Lines of the changelog that are too long: 120 characters or more. */
export function longChanges(changelog: string): Finding[] {
  return changelog
    .split("\n")
    .flatMap((text, at) =>
      text.length < 120
        ? []
        : [{ file: "CHANGELOG.md", line: at + 1, message: `${text.length} characters: shorten to 119` }],
    );
}

/** Sources and documents, except the two files that list the banned words. */
function textsOf(root: string): { file: string; text: string }[] {
  const listed = Bun.spawnSync(
    ["git", "ls-files", "src", "scripts", "test", "docs", "data/README.md", "*.md"],
    { cwd: root },
  );
  return listed.stdout
    .toString()
    .trim()
    .split("\n")
    .filter((file) => /\.(?:ts|md|css)$/.test(file) && existsSync(join(root, file)))
    .filter((file) => file !== "scripts/words.ts" && file !== "test/scripts/words.test.ts")
    .map((file) => ({ file, text: readFileSync(join(root, file), "utf8") }));
}

if (import.meta.main) {
  const findings = checkWords(dirname(import.meta.dir));
  for (const { file, line, message } of findings) console.error(`${file}:${line} ${message}`);
  console.error(findings.length === 0 ? "words: none that is banned" : `words: ${findings.length} to change`);
  process.exit(findings.length === 0 ? 0 : 1);
}
