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

/** From a tablet on; a screen as low as a laptop's at 200 % holds more of a table that scrolls. */
const TABLET = "screen and (min-width: 577px) and (min-height: 561px)";
/** Where statistics have no room for three offices side by side: the wider, the longer their amounts are. */
const IN_LINES = [
  [".stat", `${TABLET} and (max-width: 767px)`],
  [".stat.exact", `${TABLET} and (max-width: 1040px)`],
  // Above, the header of a table stays in sight, and nothing scrolls in its box.
  [
    ".stat.measured",
    `${TABLET} and (max-width: 1180px), screen and (min-width: 1181px) and (max-width: 1240px)`,
  ],
  [".stat.measured.exact", `${TABLET}, screen and (min-width: 1181px)`],
] as const;
const statisticsInLines = IN_LINES.map(
  ([kind, media]) => `@media ${media} {${lines.replaceAll(".stat", kind)}}`,
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
