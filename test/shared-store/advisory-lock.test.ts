import { expect, test } from "bun:test";
import { AdvisoryLock } from "../../src/shared-store/connection.ts";
import { hasPostgres, startPostgres } from "../support/postgres.ts";
import { until } from "../support/until.ts";

test.skipIf(!hasPostgres)(
  "one server at a time holds the lock of a name, until its work is done",
  async () => {
    await using postgres = await startPostgres();
    const [one, two] = [new AdvisoryLock(postgres.url, "fetch"), new AdvisoryLock(postgres.url, "fetch")];
    const done: string[] = [];
    const work = (name: string) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      const run = async () => {
        done.push(`${name} began`);
        await promise;
        return name;
      };
      return { run, end: () => resolve() };
    };
    const [first, second] = [work("first"), work("second")];
    const running = [one.run(first.run), one.run(second.run)];
    await until("both have their lock", () => done.length === 2);
    const never = work("never");
    expect(await two.run(never.run)).toBeNull();
    expect(await new AdvisoryLock(postgres.url, "another").run(() => Promise.resolve("another"))).toBe(
      "another",
    );
    first.end();
    expect(await running[0]).toBe("first");
    expect(await two.run(never.run)).toBeNull();
    second.end();
    expect(await running[1]).toBe("second");
    expect(await two.run(() => Promise.resolve("its turn"))).toBe("its turn");
    await expect(one.run(() => Promise.reject(new Error("of the work")))).rejects.toThrow("of the work");
    expect(await two.run(() => Promise.resolve("again"))).toBe("again");
    expect(done).toEqual(["first began", "second began"]);
    await postgres.kill();
    await expect(one.run(() => Promise.resolve("without"))).rejects.toThrow();
  },
);
