import { expect, test } from "bun:test";
import { hasRedis, startRedis } from "../support/redis.ts";

test.skipIf(!hasRedis)(
  "a test's Redis requires its password and is empty after a kill, on the same port",
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
