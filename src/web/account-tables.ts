/** Tables of the account pages, for owners and for people themselves: keys, connected apps, and lists in pages. */
import { counted } from "../lib/text.ts";
import type { LedgerEntry } from "../accounts/credits.ts";
import { endsAt, hasEnded, type Key, type Keys } from "../accounts/keys.ts";
import type { Connection, Connections } from "../accounts/oauth-state/grants.ts";
import { invalid } from "../errors.ts";
import { type Html, html, type HtmlPart } from "../lib/html.ts";
import { pathTo } from "../http/routes.ts";
import type { Choices } from "./fields.ts";
import type { Act, FormVisit } from "./forms.ts";
import { nextPage } from "./parts/elements.ts";
import { type Head, plainTable } from "./parts/tables.ts";

/** A time to the minute or the second, in UTC, with its machine-readable form. */
export function time(ms: number, to: "minute" | "second" = "minute"): Html {
  const iso = new Date(ms).toISOString();
  const text = iso.slice(0, to === "minute" ? 16 : 19).replace("T", " ");
  return html`<time class="whole" datetime="${iso}">${text}</time>`;
}

/** `1 credit`, `1,200 credits`. */
export const credits = (count: number): string => counted(count, "credit");

const OPERATIONS: Readonly<Record<string, string>> = {
  getExecutiveCompensation: "History of a company",
  getExecutiveCompensationTickers: "List of tickers",
  queryExecutiveCompensation: "Rows across companies",
  getExecutiveCompensationStatistics: "Statistics across companies",
  findCompanies: "Company search",
  queryCeoPay: "CEO pay across the market",
  getCeoPayStatistics: "Statistics of CEO pay",
  search: "Search by an AI client",
  fetch: "Document fetched by an AI client",
  "page:history": "History opened on a page",
  "page:query": "Ranking, comparison or statistics opened on a page",
};

/** What was charged, in words. @param operation as in the ledger; null for entries that were rolled up by day */
export function operationText(operation: string | null): string {
  return operation === null ? "Rolled up by day" : (OPERATIONS[operation] ?? operation);
}

/** What a ledger entry is for, in words. */
function entryText({ kind, operation }: { kind: string; operation: string | null }): string {
  if (kind === "given") return "Free credits";
  if (kind === "granted") return "Added or removed by an owner";
  return operationText(kind === "rolled" ? null : operation);
}

/** A column of a table: its heading, and its cell of an item; false where the page does not have it. */
export type AccountColumn<Item> = readonly [Head, (item: Item) => HtmlPart] | false;

/** A table of records; the text `empty`, if any, if there are none. */
export function tableOf<Item>(
  caption: string,
  items: readonly Item[],
  empty: string,
  columns: readonly AccountColumn<Item>[],
): Html {
  if (items.length === 0) return html`${empty !== "" && html`<p>${empty}</p>`}`;
  const shown = columns.filter((column) => column !== false);
  const heads = shown.map(([head]) => head);
  const lines = items.map((item) => shown.map(([, cell]) => cell(item)));
  return plainTable(heads, lines, { caption, kind: "records" });
}

/** The columns of a ledger. */
export const LEDGER: readonly AccountColumn<LedgerEntry>[] = [
  ["When", ({ atMs }) => time(atMs)],
  ["What", entryText],
  ["Ticker", ({ ticker }) => ticker ?? "–"],
  [{ number: "Credits" }, ({ amountCredits: amount }) => (amount > 0 ? `+${amount}` : `−${-amount}`)],
  [{ number: "Balance" }, ({ balanceAfterCredits }) => balanceAfterCredits],
];

/** The page of a user, behind the e-mail. */
export function userLink({ userId, email }: { userId: string; email: string }): Html {
  return html`<a href="${pathTo("adminUser", { id: userId })}">${email}</a>`;
}

/** The start of a UTC day, in ms. Refuses anything but `2026-03-31`. */
export function readDay(text: string): number {
  const ms = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(ms)) return ms;
  throw invalid(`Cannot read the date ${JSON.stringify(text)}: expected 2026-03-31.`);
}

/** A section of an account page, named by its heading. */
export function section(id: string, title: string, ...parts: HtmlPart[]): Html {
  return html`<section aria-labelledby="${id}">
    <h2 id="${id}">${title}</h2>
    ${parts}
  </section>`;
}

/** Links to the pages, or the parts of a page, that belong together. @param current the address of the one that is open */
export function tabLinks(label: string, links: Choices, current: string): Html {
  return html`<nav class="tabs" aria-label="${label}">
    ${links.map(([href, words]) => html`<a href="${href}" ${href === current && html`aria-current="page"`}>${words}</a>`)}
  </nav>`;
}

/** Terms with their values, side by side, or as lines. */
export function factsOf(
  pairs: readonly (readonly [term: string, value: Html | string])[],
  kind = "facts columns",
): Html {
  return html`<dl class="${kind}">
    ${pairs.map(
      ([term, value]) =>
        html`<div>
          <dt>${term}</dt>
          <dd>${value}</dd>
        </div>`,
    )}
  </dl>`;
}

/** The address of this page with some parameters changed. */
export function withParameters({ url }: { url: URL }, changed: Readonly<Record<string, string>>): string {
  const search = new URLSearchParams(url.search);
  for (const [name, value] of Object.entries(changed)) search.set(name, value);
  return `${url.pathname}?${search}`;
}

const PAGE = 50;

/** The end of a page: creation time, then id among items created at that time. */
interface Place {
  createdAtMs: number;
  id: string;
}

/**
 * A page of a list, with the link to the next page if there is more.
 * @param read returns up to so many items
 * @param placeOf the parameters with which the page behind an item begins
 */
export async function pageOf<Item>(
  visit: { url: URL },
  size: number,
  read: (limit: number) => Promise<readonly Item[]> | readonly Item[],
  placeOf: (last: Item) => Readonly<Record<string, string>>,
): Promise<{ listed: readonly Item[]; next: Html | false }> {
  const found = await read(size + 1);
  const listed = found.slice(0, size);
  const last = listed.at(-1);
  const isMore = found.length > size && last !== undefined;
  return { listed, next: isMore && nextPage(withParameters(visit, placeOf(last))) };
}

/** A page of a list across all users, newest first. @param read returns the items before a place */
export function newestFirst<Item extends Place>(
  visit: { url: URL },
  read: (range: { before: Place | undefined; limit: number }) => Promise<readonly Item[]> | readonly Item[],
) {
  const [, createdAtMs, id] =
    /^(\d{1,15})\.([0-9A-Za-z_-]{1,64})$/.exec(visit.url.searchParams.get("before") ?? "") ?? [];
  const before = id === undefined ? undefined : { createdAtMs: Number(createdAtMs), id };
  const placeOf = (last: Item) => ({ before: `${last.createdAtMs}.${last.id}` });
  return pageOf(visit, PAGE, (limit) => read({ before, limit }), placeOf);
}

/**
 * API keys.
 * @param actions what can be done with an active key
 * @param userOf links to the key's user, in tables across users
 */
export function keyTable<One extends Key>(
  keys: readonly One[],
  nowMs: number,
  empty: string,
  actions: (key: One) => Html,
  userOf?: (key: One) => Html,
): Html {
  return tableOf("API keys, newest first", keys, empty, [
    ["Name", ({ name }) => name],
    userOf !== undefined && ["User", userOf],
    ["Key", ({ prefix, lastFour }) => html`<code>${prefix}…${lastFour}</code>`],
    ["Created", ({ createdAtMs }) => time(createdAtMs)],
    [
      "Last used",
      ({ lastUsedAtMs: atMs, lastUsedAddress }) =>
        atMs === null ? "never" : html`<span>${time(atMs)} from ${lastUsedAddress}</span>`,
    ],
    [
      "Expires",
      (key) =>
        endsAt(key) === Number.POSITIVE_INFINITY
          ? "never"
          : html`<span
              >${hasEnded(key, nowMs) && html`<span class="over">ended </span>`}${time(endsAt(key))}</span
            >`,
    ],
    ["Actions", (key) => !hasEnded(key, nowMs) && actions(key)],
  ]);
}

/** Connected apps, each with a button to disconnect it. @param userOf as for keys */
export function appTable<One extends Connection>(
  visit: Pick<FormVisit<unknown>, "form">,
  apps: readonly One[],
  empty: string,
  userOf?: (app: One) => Html,
): Html {
  const nameOf = ({ name }: One) => name ?? "Unnamed app";
  return tableOf("Connected apps, newest first", apps, empty, [
    ["App name (unverified)", nameOf],
    userOf !== undefined && ["User", userOf],
    ["Redirects to", ({ redirectHost }) => html`<code>${redirectHost}</code>`],
    ["Connected", ({ createdAtMs }) => time(createdAtMs)],
    [{ number: "Programs" }, ({ programs }) => programs],
    ["Last used", ({ lastUsedAtMs }) => (lastUsedAtMs === null ? "never" : time(lastUsedAtMs))],
    [
      "Actions",
      (app) => {
        const hidden = { app: app.id, name: nameOf(app) };
        return visit.form("disconnect", dangerButton("Disconnect", hidden.name), { hidden });
      },
    ],
  ]);
}

/** Revokes the key whose id is in the form. @param own whether only the sender's own keys may be revoked */
export function revokeAct<Who>(keys: Pick<Keys, "revoke">, own: boolean): Act<Who> {
  return {
    ask: ({ given }) => ({
      question: `Revoke the key ${given("name")}? Programs that use it will stop working at once. This cannot be undone.`,
      button: "Revoke",
    }),
    async run({ given, actor }) {
      const revoked = await keys.revoke(own ? actor.actor : null, given("key"), actor);
      return { note: `Key ${revoked.prefix}… (${revoked.name}) was revoked.` };
    },
  };
}

/** Ends the connection whose id is in the form. @param own as for keys */
export function disconnectAct<Who>(connections: Pick<Connections, "disconnect">, own: boolean): Act<Who> {
  return {
    ask: ({ given }) => ({
      question: `Disconnect ${given("name")}? Its tokens stop working at once, and the app has to sign in again.`,
      button: "Disconnect",
    }),
    async run({ given, actor }) {
      if (await connections.disconnect(own ? actor.actor : null, given("app"), actor))
        return { note: `${given("name")} was disconnected.` };
      throw invalid("This connection no longer exists.");
    },
  };
}

/** The form with a key's id, and the button that revokes it after a question. */
export function revokeForm(visit: Pick<FormVisit<unknown>, "form">, { id, name, prefix }: Key): Html {
  return visit.form("revoke", dangerButton("Revoke", name), {
    hidden: { key: id, name: `${name} (${prefix}…)` },
  });
}

/** A button in a row of a table. @param what the row's name, for those who do not see the table */
export function dangerButton(words: string, what: string): Html {
  return html`<button class="danger">${words}<span class="away"> ${what}</span></button>`;
}
