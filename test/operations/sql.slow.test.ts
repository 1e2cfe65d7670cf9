/** Statements that use up the limits of their process. */
import { expect, test } from "bun:test";
import { createSqlRunner } from "../../src/operations/sql.ts";
import { cli } from "../support/cli.ts";
import { tempFolder } from "../support/folder.ts";
import { PROGRAM } from "../support/program.ts";

const dataDir = tempFolder();
const runner = createSqlRunner({ program: PROGRAM, dataDir });
const sql = (...words: string[]) =>
  cli("sql", ...words, { program: PROGRAM, environment: { EXECCOMP_DATA_DIR: dataDir } });

test("the cross join of everything ends with a message", async () => {
  const everything =
    "select count(*) from observations a, observations b, observations c where a.executive_name < b.executive_name || c.executive_role";
  const { code, err, out } = await sql(everything, "--max-seconds", "1");
  expect([code, out]).toEqual([1, ""]);
  expect(err).toContain("ran longer than 1 second and was stopped. Add filters");
});

test("a statement that takes too much memory ends with a message", async () => {
  const columns = Array.from({ length: 100 }, (_, at) => `s as s${at}`).join(", ");
  const large = `with x(s) as materialized (select printf('%50000000s', '')) select ${columns} from x`;
  const refusal = await runner.run(large, { maxSeconds: 120 }).catch((error: Error) => error);
  expect(String(refusal)).toContain("exceeded the memory limit");
});
