/**
 * Ways to write the same document differently. None of them changes what a person reads, so none may change the rows.
 */
export const REWRITES: Readonly<Record<string, (html: string) => string>> = {
  "fonts and colours renamed": (html) =>
    html
      .replace(/font-family:[^;"]+/gi, "font-family:Zapfino")
      .replace(/background-color:[^;"]+/gi, "background-color:#fefefe"),
  "a class on every cell": (html) => html.replace(/<td\b/gi, `<td class="c1 x-2"`),
  "comments between cells": (html) => html.replace(/<\/td>/gi, "</td><!-- <td>1,234</td> -->"),
  "line breaks between tags": (html) =>
    outsidePre(html, (part) =>
      part.replace(/(<\/td>)(<td)/gi, "$1\n\t $2").replace(/(<\/tr>)(<tr)/gi, "$1\r\n$2"),
    ),
  "wrapped in thirty divs": (html) =>
    html
      .replace(/<body([^>]*)>/i, `<body$1>${"<div>".repeat(30)}`)
      .replace(/<\/body>/i, `${"</div>".repeat(30)}</body>`),
  "a div in every cell": (html) =>
    html.replace(/(<td\b[^>]*[^/>]>|<td>)/gi, "$1<div>").replace(/<\/td>/gi, "</div></td>"),
  "tags in the other case": (html) =>
    html.replace(
      /<(\/?)(td|tr|table|div|span|font|p|b|sup)\b/gi,
      (_, slash: string, tag: string) =>
        `<${slash}${tag === tag.toLowerCase() ? tag.toUpperCase() : tag.toLowerCase()}`,
    ),
  "attributes without quotes": (html) => html.replace(/((?:col|row)span)="(\d+)"/gi, "$1=$2"),
  "spaces by number": (html) => html.replaceAll("&nbsp;", "&#160;").replaceAll("&#8194;", "&ensp;"),
  "an empty column before every table": (html) => html.replace(/<tr\b[^>]*>/gi, "$&<td>&nbsp;</td>"),
  "an empty column after every table": (html) => html.replace(/<\/tr>/gi, "<td></td></tr>"),
  "an empty row at the end of every table": (html) =>
    html.replace(/<\/table>/gi, "<tr><td></td></tr></table>"),
  "another table before and after": (html) =>
    html.replace(/<body([^>]*)>/i, `<body$1>${OTHER}`).replace(/<\/body>/i, `${OTHER}</body>`),
};

const OTHER = `<p>Security ownership</p><table><tr><td>Name</td><td>Shares</td><td>Percent</td></tr><tr><td>Index Fund</td><td>1,234,567</td><td>8.1%</td></tr></table>`;

function outsidePre(html: string, change: (part: string) => string): string {
  return html
    .split(/(<pre[\s\S]*?<\/pre>)/i)
    .map((part, at) => (at % 2 === 0 ? change(part) : part))
    .join("");
}
