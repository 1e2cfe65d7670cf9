import { expect, test } from "bun:test";
import { bench } from "./support.ts";

/** A bench that keeps the given number of applications without a connection, with that many registered. */
async function full(count: number) {
  const made = bench({ limits: { registrationsPerHour: 20, unconnectedApplications: count } });
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1) {
    ids.push(await made.client());
    made.runtime.advance(1000);
  }
  const isKept = async (id: string | undefined) => (await made.grants.clients.find(id ?? "")) !== undefined;
  return { ...made, ids, isKept };
}

test("an application used recently stays, and the next one is deleted", async () => {
  const { grants, ids, isKept, client, runtime, close } = await full(3);
  grants.clients.noteAsked(ids[0] ?? "");
  await client();
  expect([await isKept(ids[0]), await isKept(ids[1])]).toEqual([true, false]);
  runtime.advance(10 * 60_000);
  await client();
  expect(await isKept(ids[0])).toBe(false);
  close();
});

test("one caller cannot fill the cache: of five hundred the first is evicted", async () => {
  const { grants, ids, isKept, client, close } = await full(3);
  for (const id of ids) grants.clients.noteAsked(id);
  for (let n = 0; n < 498; n += 1) grants.clients.noteAsked(`another ${n}`);
  await client();
  expect([await isKept(ids[0]), await isKept(ids[1]), await isKept(ids[2])]).toEqual([false, true, true]);
  close();
});
