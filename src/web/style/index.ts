import base from "./base.css" with { type: "text" };
import header from "./header.css" with { type: "text" };
import text from "./text.css" with { type: "text" };
import tables from "./tables.css" with { type: "text" };
import forms from "./forms.css" with { type: "text" };
import filters from "./filters.css" with { type: "text" };
import panels from "./panels.css" with { type: "text" };
import lists from "./lists.css" with { type: "text" };
import visitor from "./visitor.css" with { type: "text" };
import source from "./source.css" with { type: "text" };
import records from "./records.css" with { type: "text" };
import narrow from "./narrow.css" with { type: "text" };
import lines from "./lines.css" with { type: "text" };
import phone from "./phone.css" with { type: "text" };
import print from "./print.css" with { type: "text" };

/** Up to which width statistics have no room for three offices side by side: the more, the longer their amounts are. */
const LINES_UP_TO = [
  [".stat", 767],
  [".stat.exact", 1040],
  [".stat.measured", 1240],
  [".stat.measured.exact", 9999],
] as const;
const statisticsInLines = LINES_UP_TO.map(
  ([kind, most]) =>
    `@media screen and (min-width: 577px) and (max-width: ${most}px) {${lines.replaceAll(".stat", kind)}}`,
).join("");

/** One stylesheet for every page: light and dark, phone, tablet and print. Later files override earlier ones. */
export const style: string = [
  base,
  header,
  text,
  tables,
  forms,
  filters,
  panels,
  lists,
  visitor,
  source,
  records,
  narrow,
  statisticsInLines,
  phone,
  print,
].join("");
