/**
 * Compares pages with small stored pictures of them, so that anything that moves, loses its color or falls off the page
 * is noticed. Text is rendered differently on other machines: if a line of text is wider or narrower than on the
 * machine that took the pictures, the comparison is skipped with a message. To retake them, and review them before
 * committing:
 *
 *     UPDATE_BASELINE=1 bun test test/journeys/baseline.test.ts
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pixelmatch from "pixelmatch";
import type { Browser, Page } from "playwright-core";
import { PNG } from "pngjs";
import { hasBrowser, openBrowser } from "../support/pages.ts";
import { startTestServer, type TestServer } from "../support/server.ts";

const FOLDER = join(import.meta.dir, "baseline");
const SHOTS = join(import.meta.dir, "../../dist/screenshots");
const LETTERS = join(FOLDER, "letters.json");
const UPDATE = process.env["UPDATE_BASELINE"] === "1";
/** Share of the pixels that may differ: an additional or missing word, but not a block that moved. */
const TOLERATED = 0.03;

/** Pages whose figures change only with the rows of one company or the layout itself. */
const PICTURES = [
  ["home", "/", "desktop"],
  ["company", "/t/AAPL?year=2025", "desktop"],
  ["company-dark", "/t/AAPL?year=2025", "dark"],
  ["company-phone", "/t/AAPL?year=2025", "phone"],
  ["person", "/t/AAPL/2024/tim-cook", "desktop"],
  ["source", "/t/AAPL/2025/tim-cook/salary", "desktop"],
  ["compare", "/compare?t=AAPL,MSFT,GOOGL&year=2024", "desktop"],
  ["rankings", "/rankings?office=pfo&fiscal_year=2024", "desktop"],
  ["coverage-phone", "/coverage", "phone"],
  ["sign-in", "/sign-in", "dark"],
  ["nothing", "/nowhere", "desktop"],
] as const;

const SIZES = { desktop: [1280, 900], dark: [1280, 900], phone: [390, 844] } as const;

describe.skipIf(!hasBrowser)("pages look as before", () => {
  let server: TestServer;
  let browser: Browser;
  let sameLetters = true;

  const open = async (path: string, kind: keyof typeof SIZES): Promise<Page> => {
    const [width, height] = SIZES[kind];
    const context = await browser.newContext({
      viewport: { width, height },
      deviceScaleFactor: 0.5,
      colorScheme: kind === "dark" ? "dark" : "light",
    });
    const page = await context.newPage();
    await page.goto(server.origin + path);
    // Whether a cursor blinks is random.
    await page.evaluate("document.activeElement.blur()");
    return page;
  };

  beforeAll(async () => {
    mkdirSync(FOLDER, { recursive: true });
    mkdirSync(SHOTS, { recursive: true });
    server = await startTestServer();
    browser = await openBrowser();
    const page = await open("/", "desktop");
    const widths = await page.evaluate(
      "['h1', 'main p', 'code', 'nav a'].map((name) => { const range = document.createRange(); range.selectNodeContents(document.querySelector(name)); return Math.round(range.getBoundingClientRect().width * 10) })",
    );
    await page.context().close();
    if (UPDATE) writeFileSync(LETTERS, `${JSON.stringify(widths)}\n`);
    sameLetters = JSON.stringify(JSON.parse(readFileSync(LETTERS, "utf8"))) === JSON.stringify(widths);
    if (!sameLetters)
      console.warn("skipped: this machine's fonts are not those of the pictures in baseline/");
  });
  afterAll(async () => {
    await browser.close();
    await server.stop();
  });

  test.each(PICTURES)("%s", async (name, path, kind) => {
    const page = await open(path, kind);
    const taken = await page.screenshot();
    await page.context().close();
    const file = join(FOLDER, `${name}.png`);
    if (UPDATE) writeFileSync(file, taken);
    expect(existsSync(file)).toBeTrue();
    if (!sameLetters) return;
    const [kept, now] = [PNG.sync.read(readFileSync(file)), PNG.sync.read(taken)];
    expect([now.width, now.height]).toEqual([kept.width, kept.height]);
    const difference = new PNG({ width: kept.width, height: kept.height });
    const differing = pixelmatch(kept.data, now.data, difference.data, kept.width, kept.height, {
      threshold: 0.2,
    });
    const share = differing / (kept.width * kept.height);
    if (share > TOLERATED) writeFileSync(join(SHOTS, `${name}-difference.png`), PNG.sync.write(difference));
    expect([name, share > TOLERATED]).toEqual([name, false]);
  });
});
