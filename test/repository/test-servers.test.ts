import { SQL } from "bun";
import { expect, test } from "bun:test";
import { hasPostgres, startPostgres } from "../support/postgres.ts";
import { hasRedis, startRedis } from "../support/redis.ts";

test.skipIf(!hasPostgres)(
  "a PostgreSQL of a test keeps its data over a kill and gives empty databases",
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

test.skipIf(!hasRedis)(
  "a Redis of a test wants its password and is empty after a kill, on the same port",
  async () => {
    await using redis = await startRedis("a-password");
    const { port } = redis;
    const client = redis.connect();
    await client.set("a", "1");
    client.close();
    await redis.kill();
    await redis.start();
    expect(redis.port).toBe(port);
    const again = redis.connect();
    expect(await again.get("a")).toBeNull();
    again.close();
    expect((await answerToPing(port)).startsWith("-NOAUTH")).toBe(true);
  },
);

function answerToPing(port: number): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  void Bun.connect({
    hostname: "127.0.0.1",
    port,
    socket: {
      open: (socket) => void socket.write("PING\r\n"),
      data(socket, bytes) {
        resolve(bytes.toString());
        socket.end();
      },
      connectError: (_, error) => reject(error),
    },
  });
  return promise;
}
