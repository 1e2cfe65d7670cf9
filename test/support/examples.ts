/** The examples of the API reference: requests and the server's answers. */
import examples from "../../src/rest/examples.json";
import { EXAMPLE_ORIGIN } from "../../src/http/base-urls.ts";
import { startTestServer } from "./server.ts";

/** What every example's request is answered now; where there is no request the example as it is. */
export async function answeredExamples(): Promise<typeof examples> {
  // EDGAR never answers, so that a filing is being fetched for as long as the examples take.
  const silent = Object.assign(() => new Promise<Response>(() => {}), { preconnect: () => {} });
  const server = await startTestServer({ contact: "A Tester tester@example.com" }, { fetch: silent });
  try {
    const key = await server.createKey("reader@example.com");
    const spent = await server.createKey("spent@example.com");
    const { id } = await server.accounts.users.requireByEmail("spent@example.com");
    await server.accounts.credits.grant(id, -100);
    const keys: Readonly<Record<string, string | undefined>> = { "401": undefined, "402": spent };
    const answered: Record<string, unknown> = {};
    for (const [name, { request, answer }] of Object.entries(examples)) {
      if (name === "429") for (let at = 0; at < 60; at++) await server.get("/t/AAPL/facts");
      const by = name in keys ? keys[name] : key;
      const got = request === null ? null : await server.get(request, by === undefined ? {} : { key: by });
      const status = /^\d/.test(name) ? Number(name) : 200;
      if (got !== null && got.status !== status) throw new Error(`${request} is ${got.status}`);
      server.advance(60_000);
      const text = (await got?.text())?.replaceAll(server.origin, EXAMPLE_ORIGIN);
      answered[name] = { request, answer: text === undefined ? answer : JSON.parse(text) };
    }
    // The same names as in the file.
    return answered as typeof examples;
  } finally {
    await server.stop();
  }
}
