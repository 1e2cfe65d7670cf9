/** Company names as people write them, over every name of the dataset. */
import { expect, test } from "bun:test";
import { companyName } from "../../src/domain/company-name.ts";
import { startTestServer } from "../support/server.ts";

test.each([
  ["MATTEL INC /DE/", "Mattel, Inc."],
  ["Hershey Co/The", "The Hershey Co."],
  ["PNC Financial Services Group Inc/The", "The PNC Financial Services Group Inc."],
  ["LIFECORE BIOMEDICAL, INC. \\DE\\", "Lifecore Biomedical, Inc."],
  ["Troops, Inc. /Cayman Islands/", "Troops, Inc."],
  ["MONSANTO CO /NEW", "Monsanto Co."],
  ["CIGNA COR", "Cigna Corp."],
  ["TIFFANY & CO", "Tiffany & Co."],
  ["J&J SNACK FOODS CORP", "J&J Snack Foods Corp."],
  ["STAMPS.COM INC", "Stamps.com, Inc."],
  ["8X8 INC /DE/", "8X8, Inc."],
  ["BANK OF MONTREAL /CAN/", "Bank of Montreal"],
  ["UGI CORP /PA/", "UGI Corp."],
  ["VESTAS WIND SYSTEMS A/S", "Vestas Wind Systems A/S"],
  ["CULLEN/FROST BANKERS, INC.", "Cullen/Frost Bankers, Inc."],
  ["Quad/Graphics, Inc.", "Quad/Graphics, Inc."],
  ["Apple Inc.", "Apple Inc."],
  ["JPMorgan Chase & Co.", "JPMorgan Chase & Co."],
  ["eBay Inc.", "eBay Inc."],
  ["3M Company", "3M Company"],
])("%s is %s", (registered, written) => expect(companyName(registered)).toBe(written));

test("every name of the dataset keeps its letters, loses what EDGAR appended, and is written once", async () => {
  const server = await startTestServer();
  const names = server.services.snapshots
    .current()
    .all<{ name: string }>("select name from companies")
    .map(({ name }) => name);
  await server.stop();
  expect(names.length).toBeGreaterThan(10_000);
  const lettersOf = (name: string) => name.toLowerCase().replaceAll(/[^\p{L}\d]/gu, "");
  const wrong = names.filter((name) => {
    const written = companyName(name);
    const letters = lettersOf(written);
    const given = lettersOf(name.replace(/^(.+)\/The$/i, "The $1"));
    // A form that a list cut off is longer than it was.
    const isKept = given.startsWith(letters.replace(/(corp|inc|fund|bancorp|partnership)$/, ""));
    const hasSuffix =
      /[/\\]\s?(DE|NEW|MD|ADR|The|NV|FI|CAN)?\s*[/\\]?$/i.test(written) && !written.endsWith("A/S");
    const shouts = /\b[A-Z]{6,}\b/.test(written) && name === name.toUpperCase();
    return !isKept || hasSuffix || shouts || written.trim() === "" || companyName(written) !== written;
  });
  expect(wrong).toEqual([]);
});
