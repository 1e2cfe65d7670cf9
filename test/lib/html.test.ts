import { expect, test } from "bun:test";
import { html } from "../../src/lib/html.ts";

test("what nobody can see never reaches a page: NUL, ESC, C1, and marks that turn the text around them", () => {
  const name = "A\0B\u001b[31mC\u0085D\u009bE\u202eF\u2066G\u200fH\u007fI";
  expect(html`<b title="${name}">${name}</b>`.text).toBe('<b title="AB[31mCDEFGHI">AB[31mCDEFGHI</b>');
  expect(html`${"a\tb\nc\r\n Ünï – 名"}`.text).toBe("a\tb\nc\r\n Ünï – 名");
});
