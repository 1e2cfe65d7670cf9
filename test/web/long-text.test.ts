/** Patterns of pages that see what anybody sends. Those of other surfaces: `test/server/long-text.test.ts`. */
import { expect, test } from "bun:test";
import { ROUTE_NAMES, ROUTES } from "../../src/http/routes.ts";
import { SELECTION_PARAMETERS } from "../../src/domain/selection.ts";
import { longTexts, unknownPatterns } from "../support/long-text.ts";
import { startTestServer } from "../support/server.ts";

const TEXTS = longTexts(15_000);
const NAMES = [
  ...new Set(
    [
      ...SELECTION_PARAMETERS.map(({ name }) => name),
      ..."q search status page companies t group name own by sort columns unit cursor year who chart format next token".split(
        " ",
      ),
    ].filter((name) => !/_(lte|gt|lt)$/.test(name) && !(name.endsWith("_gte") && !name.startsWith("total"))),
  ),
];

test("a long text in an address reaches only patterns that take no longer than the text is", async () => {
  const server = await startTestServer();
  const paths = ROUTE_NAMES.map((name): string => ROUTES[name].path)
    .filter((path) => !path.includes(":") && !path.startsWith("/oauth") && !path.includes("backup"))
    .concat("/t/AAPL", "/t/AAPL/2025/tim-cook", "/c/0000320193", "/t/AAPL/facts", "/nowhere");
  const unknown = await unknownPatterns(async () => {
    for (const [at, path] of paths.entries()) {
      const query = `${NAMES[at % NAMES.length]}=${TEXTS[at % TEXTS.length]}`;
      await server.get(`${path}?${query}`, { headers: { accept: "text/html" } });
    }
    for (const path of [
      "/rankings",
      "/statistics",
      "/ceo-pay",
      "/compare",
      "/search",
      "/coverage",
      "/t/AAPL",
    ])
      for (const [at, name] of NAMES.entries()) {
        const query = `${name}=${TEXTS[at % TEXTS.length]}`;
        await server.get(`${path}?${query}`, { headers: { accept: "text/html" } });
      }
  });
  await server.stop();
  expect(unknown).toEqual([]);
}, 300_000);
