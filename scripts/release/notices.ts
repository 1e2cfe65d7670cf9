/** The third-party notices printed by `execcomp version --licences`, generated from what is actually bundled. */
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { BundledPackage } from "./bundled.ts";

const ROOT = dirname(dirname(import.meta.dir));
const RULE = "-".repeat(78);

/** Every bundled package with its licence; a text shared by several is printed once, under their names. */
export function thirdPartyNotices(packages: readonly BundledPackage[]): string {
  const own = packages.filter((one) => one.within === null);
  const within = packages.filter((one) => one.within !== null);
  const carriers = [...new Set(within.map((one) => one.within))].join(", ");
  return [
    "THIRD-PARTY SOFTWARE IN THIS EXECUTABLE",
    "execcomp itself is under the Apache License 2.0. It contains the following, under licences of their own.",
    `Packages\n${RULE}\n${own.map(line).join("\n")}`,
    within.length === 0
      ? ""
      : `Packages in the ready-made bundle of ${carriers}\n${RULE}\n${within.map(line).join("\n")}`,
    ...sharedTexts(packages),
    `The data\n${RULE}\n${DATA}`,
    `The runtime\n${RULE}\nBun ${Bun.version}, with what it links. ${runtimeNotice()}`,
  ]
    .filter((section) => section !== "")
    .join("\n\n")
    .concat("\n");
}

/** Lists in the embedded dataset that their licences want named; more in `data/README.md`. */
const DATA = `Totals of principal executive officers (ceo_pay, provider "scorecard"): NM AI Research, ceo-pay-scorecard,
CC BY 4.0 (https://creativecommons.org/licenses/by/4.0/), DOI 10.5281/zenodo.21445815; columns selected, lines sorted.
Other totals (provider "frames-2026-07-05"): XBRL frames of the U.S. Securities and Exchange Commission, collected by TruNorth.
Rows with the evidence "collected", totals of chief executives of up to five years and their names: collected from proxy
statements by the S&P 500 Executive Compensation Tracker (rayhe, GitHub; research and educational use); figures and names alone
are taken, each confirmed by the filers' own tags.
Registrants: datamule-data (MIT). Index memberships: sp500-components-history (MIT).
Amounts, names and offices are facts from filings with the SEC.`;

function line({ name, version, licence }: BundledPackage): string {
  return `${name} ${version}: ${licence}`;
}

function sharedTexts(packages: readonly BundledPackage[]): string[] {
  const holders = new Map<string, string[]>();
  for (const { name, version, licence, texts } of packages) {
    const own =
      texts.length > 0 ? texts : [`No licence file is in the package; its package.json says ${licence}.`];
    for (const text of own) holders.set(text, [...(holders.get(text) ?? []), `${name} ${version}`]);
  }
  return [...holders].map(([text, names]) => `${names.join(", ")}\n${RULE}\n${text}`);
}

/** What Bun's manual says about its licence and the libraries that it links, for exactly the embedded version. */
function runtimeNotice(): string {
  const page = readFileSync(join(ROOT, "node_modules/bun-types/docs/project/license.mdx"), "utf8");
  return page
    .replace(/^---[^]*?---\s*/, "")
    .replaceAll(/\[`?([^\]`]+)`?\]\(([^)]+)\)/g, "$1 ($2)")
    .replaceAll(/ {2,}/g, " ")
    .trim();
}
