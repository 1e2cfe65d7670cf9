import { SQL } from "bun";
import { expect, test } from "bun:test";
import { hasPostgres, startPostgres } from "../support/postgres.ts";

test.skipIf(!hasPostgres)(
  "a test's PostgreSQL keeps its data after a kill, and provides empty databases",
  async () => {
    await using postgres = await startPostgres();
    const sql = new SQL(postgres.url);
    await sql`CREATE TABLE kept (n int)`;
    await sql`INSERT INTO kept VALUES (7)`;
    await sql.close();
    await postgres.kill();
    await postgres.start();
    await using again = new SQL(postgres.url);
    const rows = (await again`SELECT n FROM kept`) as { n: number }[];
    expect(rows.map(({ n }) => n)).toEqual([7]);
    await using other = new SQL(await postgres.createDatabase());
    const [found] =
      (await other`SELECT count(*)::int AS tables FROM pg_tables WHERE schemaname = 'public'`) as {
        tables: number;
      }[];
    expect(found?.tables).toBe(0);
  },
);
