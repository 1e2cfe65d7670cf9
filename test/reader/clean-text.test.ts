import { expect, test } from "bun:test";
import {
  decodeReferences,
  joinLines,
  letters,
  stripTags,
  tidy,
  sliceBetweenTags,
} from "../../src/reader/clean-text.ts";

test("what takes no room goes, blanks of any width are one", () => {
  expect(tidy(" 1,2\u200b34\u00ad \u00a0\u2009 and  more\n")).toBe("1,234 and more");
});

test("a word hyphenated over two lines is one; compounds and prefixes keep their hyphen", () => {
  expect(joinLines(["Execu-", "tive Vice"])).toBe("Executive Vice");
  expect(joinLines(["Vice-", "president"])).toBe("Vice- president");
  expect(joinLines(["President-", "Finance"])).toBe("President-Finance");
  expect(joinLines(["Chief", "", "Officer"])).toBe("Chief Officer");
});

test("a header is its letters", () => {
  expect(letters("Non-Equity In-\ncentive ($)(2)")).toBe("nonequityincentive");
});

test("references are decoded: by number, of windows-1252, by any name of HTML; what is none is a blank", () => {
  expect(decodeReferences("A&#38;B &#x2014; &#150; &eacute; &Zcaron; AT&T")).toBe("A&B — – é Ž AT&T");
  expect(decodeReferences("&#xd800;|&#0;|&nosuchname;")).toBe(" | | ");
});

test("tags of blocks part words, those within a line do not; comments are not text", () => {
  expect(stripTags("<p>Chief<b>Exec</b>utive</p><p>Officer</p><!-- was: CFO -->")).toBe(
    "ChiefExecutive Officer",
  );
});

test("a stretch is cut at whole tags", () => {
  const text = '<p class="a">one</p><p class="b">two</p>';
  expect(sliceBetweenTags(text, 4, text.indexOf('"b"'))).toBe("one</p>");
});
