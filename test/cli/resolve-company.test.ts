/** The company and the person of a command: every word has to match, and only one may. */
import { expect, test } from "bun:test";
import { resolveCompany, resolveExecutive } from "../../src/cli/questions/lookup.ts";
import { tempFolder } from "../support/folder.ts";
import { OFFICE, testFiling, testRecord, testRow } from "../support/record.ts";
import { datasetIn, writeTestSnapshot } from "../support/snapshot.ts";

/** A company with rows of its officers. */
function companyOf(cik: string, name: string, symbol: string, officers: readonly string[]) {
  const accession = `${cik}-25-000001`;
  const url = `https://www.sec.gov/Archives/edgar/data/${Number(cik)}/${cik}25000001/proxy.htm`;
  const rowOf = (officer: string, n: number) =>
    testRow({ accession, position: n + 1, name: officer, ...(n === 0 ? { peo: OFFICE } : {}) });
  return testRecord({
    cik,
    name,
    symbols: [symbol],
    filings: [testFiling({ accession, symbol, url })],
    observations: officers.map(rowOf),
  });
}

const dataset = datasetIn(
  writeTestSnapshot(tempFolder(), "asked.sqlite", [
    companyOf("0000000042", "Blue River Bank", "ACME", [
      "Ann Smith",
      "Bob Smith",
      "Cy Ray Jones",
      "Cy Dee Jones",
    ]),
    companyOf("0000000043", "Blue River Steel", "BETA", ["Dan Miller"]),
  ]),
);
const show = (asked: string) => {
  try {
    return resolveCompany(dataset, asked).company.cik;
  } catch (refused) {
    return String(refused);
  }
};

test("a company is named by all of its words", () => {
  expect(show("river bank")).toBe("0000000042");
  expect(show("blue steel")).toBe("0000000043");
  expect(show("BETA")).toBe("0000000043");
  expect(show("43")).toBe("0000000043");
  expect(show("blue river")).toContain(
    '"blue river" matches Blue River Bank (ACME), Blue River Steel (BETA)',
  );
  expect(show("steel bank")).toContain("No ticker");
  // The search forgives one mistake per word; what is shown has to be meant.
  expect(show("rivr bank")).toContain("Did you mean Blue River Bank (ACME)?");
  // Known, without rows: refused by its own name, as `find` lists it.
  expect(show("listed only")).toContain("No rows are available for LISTED ONLY");
});

test("a person is named by an id, or by words of one person's name at this company", () => {
  const { company } = resolveCompany(dataset, "ACME");
  const idOf = (asked: string) => resolveExecutive(dataset, company, asked);
  expect(idOf("bob-smith")).toBe("bob-smith");
  expect(idOf("Smith Ann")).toBe("ann-smith");
  expect(() => idOf("smith")).toThrow("matches ann-smith, bob-smith at Blue River Bank");
  expect(() => idOf("cy jones")).toThrow("Specify one by id");
  // For the command to refuse: words of another company, and none at all.
  for (const other of ["ann jones", "dan miller", "dan-miller", "--"]) expect(idOf(other)).toBe(other);
});
