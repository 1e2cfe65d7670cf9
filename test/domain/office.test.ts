import { expect, test } from "bun:test";
import { companyWordsOf, officeOfTitle } from "../../src/domain/office.ts";

const acme = companyWordsOf("Acme Energy, Inc.");
const offices = (title: string): string => {
  const { peo, pfo, peoFormer, pfoFormer } = officeOfTitle(title, acme);
  return [peo ? (peoFormer ? "former PEO" : "PEO") : "", pfo ? (pfoFormer ? "former PFO" : "PFO") : ""]
    .filter((one) => one !== "")
    .join(" ");
};

test.each([
  ["Chairman and CEO", "PEO"],
  ["President & Chief Executive Officer", "PEO"],
  ["Interim Co-Chief Executive Officer", "PEO"],
  ["Chief Executive Officer and Chief Financial Officer", "PEO PFO"],
  ["CEO/CFO", "PEO PFO"],
  ["Principal Executive Officer and Principal Financial Officer", "PEO PFO"],
  ["Executive Vice President, CFO, & Head of Corp Strategy", "PFO"],
  ["Chief Financial Officer and Executive Vice President, Development", "PFO"],
  ["Chief Financial and Administrative Officer", "PFO"],
  ["Chief Executive Officer of Acme Energy", "PEO"],
  ["CEO, Acme Energy, Inc.", "PEO"],
  ["Former Senior Vice President, Chief Financial Officer", "former PFO"],
  ["Former EVP & COO and current Chief Executive Officer", "PEO"],
])("%s holds %s", (title, held) => {
  expect(offices(title)).toBe(held);
});

test.each([
  "CEO, AWM",
  "Co-CEO, CIB",
  "CEO, NA",
  "President and CEO, Acme Energy Resources",
  "Chief Executive Officer, International",
  "Executive Vice President, Chief Executive Officer, General Insurance",
  "Chief of Staff to the CEO",
  "Office of the CEO, President and Chief Executive Officer of Studios",
  "Group CEO – Acme Consumer",
  "Deputy Chief Financial Officer",
  "CFO, Americas",
  "Chief Operating Officer",
  "Chief Accounting Officer",
])("%s is neither", (title) => {
  expect(offices(title)).toBe("");
});

test("a name with a sign in it is the company's own: PG&E", () => {
  const words = companyWordsOf("PG&E Corp");
  expect(officeOfTitle("EVP and CFO, PG&E Corporation", words).pfo).toBe(true);
  expect(officeOfTitle("EVP and CFO, Pacific Gas and Electric Company", words).pfo).toBe(false);
});

test.each([
  ["CFO, International Paper", "INTERNATIONAL PAPER CO /NEW/", true],
  ["CFO, A. O. Smith Corporation", "A. O. Smith Corp", true],
  ["CFO, McDonald’s Corporation", "MCDONALDS CORP", true],
  ["CFO, Global Payments", "GLOBAL PAYMENTS INC", true],
  ["CFO, NextEra Energy Resources", "NEXTERA ENERGY INC", false],
  ["CFO, Principal Asset Management", "PRINCIPAL FINANCIAL GROUP INC", false],
  ["CFO, Advisory Services", "CBRE GROUP, INC.", false],
])("%p at %p", (title, company, pfo) => {
  expect(officeOfTitle(title, companyWordsOf(company)).pfo).toBe(pfo);
});
