import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { SQL_TOOL } from "../../src/mcp/analyst/sql.ts";
import { startTestServer, type TestServer } from "../support/server.ts";
import type { Fact } from "./facts.ts";
import { QUESTIONS } from "./questions.ts";
import { FIRST_CALLS } from "./first-calls.ts";
import { MORE_CALLS } from "./more-calls.ts";
import { answerTo, playFirstCall, type Surface, type ToolSurface } from "./surfaces.ts";

/** The server that is queried, with its address and a key. */
export interface Asked {
  server: TestServer;
  key: string;
  /** Address and headers of the analyst's MCP endpoint. */
  mcp(): [URL, object];
}

/** A server that answers queries free of charge, for the tests of one file. */
export function askedServer(): () => Asked {
  let asked: Asked;
  beforeAll(async () => {
    const server = await startTestServer({ unmetered: "true", rateKey: "100000" });
    const key = await server.createKey();
    const url = `${server.origin}/mcp/analyst`;
    const mcp = (): [URL, object] => [new URL(url), { requestInit: { headers: { "X-API-KEY": key } } }];
    asked = { server, key, mcp };
  });
  afterAll(() => asked.server.stop());
  return () => asked;
}

/** Asks every question on each surface, and compares the answer with the facts. */
export function askOn(
  facts: readonly Fact[],
  surfaces: Readonly<Record<string, () => Promise<Surface>>>,
): void {
  describe.each(Object.entries(surfaces))("%s", (_, open) => {
    let surface: Surface;
    beforeAll(async () => {
      surface = await open();
    });
    afterAll(() => surface.close());
    test.each(QUESTIONS.map((question, at) => [at + 1, question.asked, question] as const))(
      "%d. %s",
      async (__, ___, question) => {
        expect(await answerTo(surface, question)).toEqual(question.right(facts));
      },
    );
  });
}

/** Plays every question of an assistant over MCP, and compares the answer and what the text tells with the facts. */
export function playOn(
  facts: readonly Fact[],
  surfaces: Readonly<Record<string, () => Promise<ToolSurface>>>,
): void {
  describe.each(Object.entries(surfaces))("first call, %s", (name, open) => {
    let surface: ToolSurface;
    beforeAll(async () => {
      surface = await open();
    });
    afterAll(() => surface.close());
    const asked = [...FIRST_CALLS, ...MORE_CALLS].filter(({ tool }) => tool !== SQL_TOOL || name === "stdio");
    test.each(asked.map((one) => [one.asked, one] as const))("%s", async (__, one) => {
      const { answer, untold } = await playFirstCall(surface, one, facts);
      expect<unknown>({ answer, untold }).toEqual({ answer: one.right(facts), untold: [] });
    });
  });
}
