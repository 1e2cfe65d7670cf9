/** Elements that several pages have: key figures, lists of links, headings, buttons, the search form. */
import { type Html, html, type HtmlPart } from "../../lib/html.ts";
import { searchBox } from "../../http/layout.ts";

/** A place in a ranking: `1st`, `12th`. */
export function ordinal(rank: number): string {
  const last = rank % 10;
  const isTeen = rank % 100 > 10 && rank % 100 < 14;
  return `${rank}${isTeen ? "th" : last === 1 ? "st" : last === 2 ? "nd" : last === 3 ? "rd" : "th"}`;
}

/** The first of a list, and how many more there are. */
export function firstOf(list: readonly HtmlPart[], max = list.length): Html {
  return html`${list.slice(0, max).map((one, at) => html`${at > 0 && ", "}${one}`)}${list.length > max && ` and ${list.length - max} more`}`;
}

/** An external link; only the text if the URL is unknown or is not http(s). */
export function linkOut(url: string | null, text: Html | string, title: string | null = null): Html {
  if (url === null || !/^https?:\/\//.test(url)) return html`${text}`;
  return html`<a href="${url}" ${title !== null && html`title="${title}"`}>${text}</a>`;
}

/** Figures in large letters: what each is, the figure, what stands below it. */
export function keyFigures(
  figures: readonly (readonly [of: HtmlPart, figure: HtmlPart, more: HtmlPart] | false)[],
  kind = "sums",
): Html {
  return html`<dl class="${kind}">
    ${figures.map(
      (one) =>
        one !== false &&
        html`<div>
          <dt>${one[0]}</dt>
          <dd>${one[1]} <span>${one[2]}</span></dd>
        </div>`,
    )}
  </dl>`;
}

/** A list of links, each with what is said of it. */
export function linkList(links: readonly (readonly [href: string, text: string, more: string])[]): Html {
  return html`<ul class="results">
    ${links.map(([href, text, more]) => html`<li><a href="${href}">${text}</a> <span class="soft">${more}</span></li>`)}
  </ul>`;
}

/** A warning about entries of a list that match no company. */
export function notFound(unknown: readonly string[]): Html | false {
  return (
    unknown.length > 0 &&
    html`<p class="warning">
      No company found for ${unknown.slice(0, 20).join(", ")}${unknown.length > 20 && ", …"}.
    </p>`
  );
}

/** A heading with what belongs to it at the right. */
export function headed(title: HtmlPart, beside: HtmlPart, id?: string): Html {
  return html`<div class="head">
    <h2${id !== undefined && html` id="${id}"`}>${title}</h2>
    ${beside}
  </div>`;
}

/** One of several links that look like buttons. @param current what it is, where it leads here */
export function pick(href: string, text: HtmlPart, current: "page" | "true" | false): Html {
  return html`<a class="button" href="${href}" ${current !== false && html`aria-current="${current}"`}
    >${text}</a
  >`;
}

/** The way to the next page of a list. */
export function nextPage(href: string): Html {
  return html`<p class="actions"><a class="button" href="${href}">Next page</a></p>`;
}

/** The data behind a chart, folded below it. */
export function chartData(table: Html): Html {
  return html`<details class="data">
    <summary>Chart data</summary>
    ${table}
  </details>`;
}

/** The search form. */
export function searchForm(words: string, isFocused: boolean): Html {
  return searchBox(html`value="${words}" ${isFocused && html`autofocus`}`);
}
