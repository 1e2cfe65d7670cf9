import { expect } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { ServiceError } from "../../../src/errors.ts";
import { openFile } from "../../../src/dataset/open.ts";
import { confine, execute } from "../../../src/analysis/sql/execute.ts";
import { VIEWS } from "../../../src/analysis/sql/views.ts";
import { tempFolder } from "../../support/folder.ts";
import { seededRandom } from "../../support/seeded-random.ts";
import { writeTestSnapshot } from "../../support/snapshot.ts";

const PIECES = [
  ...VIEWS.flatMap(({ name, columns }) => [name, ...columns.slice(0, 8).map((column) => column.name)]),
  ..."select from where group by order limit join left on using with as values distinct union all having case when then end and or not in is null like between exists over partition recursive materialized".split(
    " ",
  ),
  ..."( ) , * + - / || = < > ; -- /* */ ' \" ` [ ] . ? :x @y $z \0 \ufffd 🙂".split(" "),
  ..."0 1 -1 1e400 'a' 'it''s' x'00' 9223372036854775808".split(" "),
  ..."count(*) sum(salary) median(salary) upper(ticker) printf('%d',1) zeroblob(9) load_extension('x') randomblob(9) json_each('[1]') pragma_table_list sqlite_master rows main.rows temp.sqlite_master".split(
    " ",
  ),
  ..."attach detach pragma vacuum into insert delete update replace drop create trigger explain begin commit analyze reindex".split(
    " ",
  ),
];

/** Each of a number of random statements has a bounded answer or a refusal, and no file changes. */
export function askAtRandom(count: number): void {
  const folder = tempFolder();
  const path = writeTestSnapshot(folder, "random.sqlite");
  const before = readFileSync(path);
  const here = readdirSync(".");
  const { database } = openFile(path);
  confine(database);
  const SIZE = { maxRows: 50, maxBytes: 5_000 };
  const random = seededRandom(15);
  let answered = 0;
  for (let at = 0; at < count; at++) {
    const statement = random.chance(0.5) ? question(random) : noise(random);
    try {
      const { columns, rows } = execute(database, statement, SIZE);
      answered++;
      expect(rows.length).toBeLessThanOrEqual(SIZE.maxRows);
      expect(JSON.stringify(rows).length).toBeLessThanOrEqual(SIZE.maxBytes + 2);
      for (const row of rows) expect(row.length).toBe(columns.length);
    } catch (error) {
      if (!(error instanceof ServiceError))
        throw new Error(`not refused but broken: ${statement}`, { cause: error });
    }
  }
  // The minimum number of statements that are valid.
  expect(answered).toBeGreaterThan(count / 5);
  expect(readdirSync(folder)).toEqual(["random.sqlite"]);
  expect(readFileSync(path).equals(before)).toBe(true);
  expect(readdirSync(".")).toEqual(here);
}

type Random = ReturnType<typeof seededRandom>;

/** A query that is nearly valid. */
function question(random: Random): string {
  const view = random.pick(VIEWS);
  const name = () => (random.chance(0.97) ? random.pick(view.columns).name : random.pick(PIECES));
  const value = () =>
    random.pick([name(), `count(${name()})`, `max(${name()})`, "1", `'a'`, `${name()} || 'x'`]);
  const chosen = [value(), value()].map((one, at) => `${one} as c${at}`).join(", ");
  const more = [
    random.chance(0.4) ? `where ${name()} ${random.pick(["=", "<", "like", "is"])} ${value()}` : "",
    random.chance(0.3) ? `group by ${name()}` : "",
    random.chance(0.5) ? `order by ${random.pick(["1", "2 desc", name()])}` : "",
    random.chance(0.5) ? `limit ${random.whole(0, 99)}` : "",
  ];
  return `select ${chosen} from ${view.name} ${more.join(" ")}`;
}

function noise(random: Random): string {
  const begin = random.chance(0.8) ? random.pick(["select ", "with ", "values "]) : "";
  return begin + Array.from({ length: random.whole(1, 12) }, () => random.pick(PIECES)).join(" ");
}
