/**
 * The reader compared with the bare tokenizer of its parser library, on one core, over the same bytes: `bun run bench reading`.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Tokenizer } from "htmlparser2";
import { parseFiling } from "../../src/reader/pipeline.ts";
import { drawPlan, renderDocument } from "../../test/support/layouts/index.ts";
import { figure, say } from "./harness.ts";

const FILINGS = join(import.meta.dir, "../../../shared/filings");
const WARM_UPS = 3;
const ROUNDS = 7;

function main(): void {
  const all = documents();
  for (let round = 0; round < WARM_UPS; round++)
    for (const [, document] of all) {
      tokenize(document);
      parseFiling(document);
    }
  const ratios: number[] = [];
  let bytes = 0;
  let [read, tokenized] = [0, 0];
  const withRows = { read: 0, tokenized: 0 };
  for (const [name, document] of all) {
    const took = { read: Infinity, tokenized: Infinity };
    for (let round = 0; round < ROUNDS; round++) {
      took.tokenized = Math.min(took.tokenized, cpuMillis(tokenize, document));
      took.read = Math.min(took.read, cpuMillis(parseFiling, document));
    }
    const ratio = took.tokenized / took.read;
    ratios.push(ratio);
    bytes += document.length;
    read += took.read;
    tokenized += took.tokenized;
    if (parseFiling(document).rows.length > 0) {
      withRows.read += took.read;
      withRows.tokenized += took.tokenized;
    }
    say(name, `${ratio.toFixed(2)} of the tokenizer, ${perSecond(document.length, took.read)}`);
  }
  ratios.sort((a, b) => a - b);
  say("slowest and fastest document", `${ratios[0]?.toFixed(2)} to ${ratios.at(-1)?.toFixed(2)}`);
  figure("reading", withRows.tokenized / withRows.read, `${perSecond(bytes, read)} over all bytes`);
  say("filings with rows", (withRows.tokenized / withRows.read).toFixed(2));
  say("all bytes", `${(tokenized / read).toFixed(2)}, ${perSecond(bytes, read)}`);
}

/** The real filings if they are available next to the project, otherwise generated documents. */
function documents(): [string, Uint8Array][] {
  if (existsSync(FILINGS)) {
    const names = readdirSync(FILINGS).filter((name) => /\.(?:htm|txt)$/.test(name));
    return names.map((name) => [name, readFileSync(join(FILINGS, name))]);
  }
  return Array.from({ length: 50 }, (_, seed) => [`laid out, seed ${seed}`, renderDocument(drawPlan(seed))]);
}

function tokenize(document: Uint8Array): void {
  const nothing = (): void => {};
  const tokenizer = new Tokenizer(
    { decodeEntities: true },
    {
      onattribdata: nothing,
      onattribend: nothing,
      onattribentity: nothing,
      onattribname: nothing,
      oncdata: nothing,
      onclosetag: nothing,
      oncomment: nothing,
      ondeclaration: nothing,
      onend: nothing,
      onopentagend: nothing,
      onopentagname: nothing,
      onprocessinginstruction: nothing,
      onselfclosingtag: nothing,
      ontext: nothing,
      ontextentity: nothing,
    },
  );
  tokenizer.write(new TextDecoder().decode(document));
  tokenizer.end();
}

/** CPU time of this process: the machine is shared, and waiting is not work. */
function cpuMillis(work: (document: Uint8Array) => void, document: Uint8Array): number {
  const before = process.cpuUsage();
  work(document);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

function perSecond(bytes: number, millis: number): string {
  return `${(bytes / 1e3 / millis).toFixed(0)} MB/s`;
}

main();
