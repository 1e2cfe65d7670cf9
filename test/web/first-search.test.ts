import { expect, test } from "bun:test";
import { pathTo } from "../../src/http/routes.ts";
import { startTestServer } from "../support/server.ts";

test.each([
  ["/suggest?q=microsft", 200, "MSFT"],
  ["/search?q=microsft", 200, "MSFT"],
  [pathTo("company", { ticker: "AAPLL" }), 404, "Apple Inc."],
  ["/t/AAPLL/facts", 404, "Apple Inc."],
] as const)(
  "%s waits for the first search of a dataset, as does a concurrent request",
  async (path, status, says) => {
    const server = await startTestServer();
    try {
      const dataset = server.services.snapshots.current();
      const { search } = dataset;
      dataset.search = (words, max) => {
        if (dataset.searchReady() !== undefined) throw new Error("a search did not wait");
        return search(words, max);
      };
      const headers = { accept: path.endsWith("/facts") ? "application/json" : "text/html" };
      const answers = await Promise.all([server.get(path, { headers }), server.get(path, { headers })]);
      for (const answer of answers) {
        expect(answer.status).toBe(status);
        expect(await answer.text()).toContain(says);
      }
    } finally {
      await server.stop();
    }
  },
);
