import { expect, test } from "bun:test";
import { createApp } from "../../src/server/app.ts";
import { refusalOf, startTestServer } from "../support/server.ts";

test("a bug answers 500 with a request id, reveals nothing, and is reported to the operator", async () => {
  const server = await startTestServer();
  const { services } = server;
  const broken = {
    ...services,
    operations: { ...services.operations, getFacts: () => Promise.reject(new Error("inner words")) },
  };
  const serverUrls = { find: () => baseUrls, main: baseUrls, all: [baseUrls], mcpLegacy: null };
  const app = createApp(broken, () => serverUrls);
  const answer = await app(new Request(`${baseUrls.origin}/t/AAPL/facts`));
  const id = answer.headers.get("x-request-id") ?? "";
  const refused = await refusalOf(answer);
  expect(refused).toMatchObject({ status: 500, error: "Internal Server Error" });
  expect(refused.message).toContain(id);
  expect(refused.message).not.toContain("inner words");
  expect(server.lines.find((line) => line.includes("inner words"))).toContain(id);
  await server.stop();
});

const baseUrls = {
  origin: "http://localhost:1",
  api: "http://localhost:1/api",
  compensation: "http://localhost:1/api/executive-compensation",
  mcp: "http://localhost:1/mcp",
  developer: "http://localhost:1/developer",
};
