import { expect, test } from "bun:test";
import { openDocument } from "../../../src/reader/document/submission.ts";

const bytesOf = (text: string, charset: "latin1" | "utf8" | "utf16le" = "utf8") =>
  new Uint8Array(Buffer.from(text, charset));
const SUBMISSION = `<SEC-DOCUMENT>0000320193-26-000007.txt : 20260108
<SEC-HEADER>
ACCESSION NUMBER:		0000320193-26-000007
CONFORMED SUBMISSION TYPE:	DEF 14A
CONFORMED PERIOD OF REPORT:	20260224
FILED AS OF DATE:		20260108
	COMPANY CONFORMED NAME:			Apple Inc.
	CENTRAL INDEX KEY:			320193
	FISCAL YEAR END:			0926
</SEC-HEADER>
<DOCUMENT>
<TYPE>DEF 14A
<TEXT><p>the proxy</p></TEXT>
</DOCUMENT>
<DOCUMENT>
<TYPE>GRAPHIC
<TEXT>begin 644 g1.jpg</TEXT>
</DOCUMENT>
<DOCUMENT>
<TYPE>EX-99
<TEXT><p>an exhibit</p></TEXT>
</DOCUMENT>`;

function documentsOf(opened: ReturnType<typeof openDocument>) {
  if ("reason" in opened) throw new Error(opened.reasonDetail ?? "");
  return opened;
}

test("a full submission is taken apart: its header, and the documents that hold the filer's own words", () => {
  const documents = documentsOf(openDocument(bytesOf(SUBMISSION)));
  expect(documents.map(({ type }) => type)).toEqual(["DEF 14A"]);
  expect(documents[0]?.text).toContain("the proxy");
  expect(documents[0]?.text).not.toContain("an exhibit");
  expect(documents[0]?.header).toEqual({
    accession: "0000320193-26-000007",
    form: "DEF 14A",
    cik: "0000320193",
    companyName: "Apple Inc.",
    filingDate: "2026-01-08",
    period: "2026-02-24",
    fiscalYearEnd: "0926",
  });
});

test("a submission of exhibits alone has nothing of the filer's own", () => {
  const exhibits = SUBMISSION.replace("<TYPE>DEF 14A", "<TYPE>EX-13");
  expect(documentsOf(openDocument(bytesOf(exhibits))).map(({ text }) => text)).toEqual([""]);
});

test("a document without a wrapper is one document without a header", () => {
  expect(documentsOf(openDocument(bytesOf("<p>a proxy</p>")))).toEqual([
    { type: null, text: "<p>a proxy</p>", header: null },
  ]);
});

test("windows-1252, UTF-16 and UTF-8 with a damaged byte are told apart", () => {
  const textOf = (bytes: Uint8Array) => documentsOf(openDocument(bytes))[0]?.text;
  expect(textOf(bytesOf("Jos\u00e9 and Fran\u00e7ois", "latin1"))).toBe("José and François");
  expect(textOf(new Uint8Array([0xff, 0xfe, ...bytesOf("José", "utf16le")]))).toBe("José");
  const damaged = bytesOf("José, François and Zoë – ");
  expect(textOf(new Uint8Array([...damaged, 0xff]))).toBe("José, François and Zoë – \ufffd");
});

test.each([
  ["%PDF-1.7 …", "not_a_document"],
  ["PK\u0003\u0004", "not_a_document"],
  ["\u0001\u0002".repeat(400), "not_a_document"],
  [" \r\n\t", "empty"],
])("%j is refused as %s", (text, reason) => {
  expect(openDocument(bytesOf(text, "latin1"))).toMatchObject({ reason });
});
