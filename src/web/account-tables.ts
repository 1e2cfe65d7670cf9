/** Tables of the account pages, for owners and for people themselves: keys, connected apps, and lists in pages. */
import type { LedgerEntry } from "../accounts/credits.ts";
import { endsAt, hasEnded, type Key, type Keys } from "../accounts/keys.ts";
import type { Connection, Connections } from "../accounts/oauth/grants.ts";
import type { MaybePromise } from "../domain/maybe-promise.ts";
import { ServiceError } from "../errors.ts";
import { type Html, html, type HtmlPart } from "../html.ts";
import type { Act, Visit } from "./forms.ts";
import { counted, type Head, nextPage, plainTable } from "./pages/parts.ts";

/** A time to the minute, in UTC, with its machine-readable form. */
export function time(ms: number): Html {
  const iso = new Date(ms).toISOString();
  return html`<time class="whole" datetime="${iso}">${iso.slice(0, 10)} ${iso.slice(11, 16)}</time>`;
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

/** The columns of a ledger. */
export const LEDGER_HEADS = ["When", "What", "Ticker", { number: "Credits" }, { number: "Balance" }] as const;

/** Their cells of an entry. */
export function ledgerCells(entry: LedgerEntry) {
  const { atMs, ticker, amountCredits, balanceAfterCredits } = entry;
  const signed = amountCredits > 0 ? `+${amountCredits}` : `−${-amountCredits}`;
  return [time(atMs), entryText(entry), ticker ?? "–", signed, balanceAfterCredits];
}

/** The start of a UTC day, in ms; undefined for an empty text. Refuses anything but `2026-03-31`. */
export function readDay(text: string): number | undefined {
  if (text === "") return undefined;
  const ms = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(ms)) return ms;
  throw new ServiceError(
    "invalid_parameter",
    `Cannot read the date ${JSON.stringify(text)}: expected 2026-03-31.`,
  );
}

/** Rows of an account page; the text `empty` if there are none. */
export function tableOf(
  caption: string,
  heads: readonly Head[],
  lines: readonly (readonly HtmlPart[])[],
  empty: string,
): Html {
  return lines.length === 0 ? html`<p>${empty}</p>` : plainTable(heads, lines, { caption, kind: "records" });
}

/** A section of an account page, named by its heading. */
export function section(id: string, title: string, ...parts: HtmlPart[]): Html {
  return html`<section aria-labelledby="${id}">
    <h2 id="${id}">${title}</h2>
    ${parts}
  </section>`;
}

/** Terms with their values, side by side. */
export function factsOf(pairs: readonly (readonly [term: string, value: Html | string])[]): Html {
  return html`<dl class="facts columns">
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
  read: (limit: number) => MaybePromise<readonly Item[]>,
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
  read: (range: { before: Place | undefined; limit: number }) => MaybePromise<readonly Item[]>,
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
  const heads = ["Name", ...(userOf ? ["User"] : []), "Key", "Created", "Last used", "Expires", "Actions"];
  const row = (key: One) => {
    const ends = endsAt(key);
    const isOver = hasEnded(key, nowMs);
    return [
      key.name,
      ...(userOf ? [userOf(key)] : []),
      html`<code>${key.prefix}…${key.lastFour}</code>`,
      time(key.createdAtMs),
      key.lastUsedAtMs === null ? "never" : html`${time(key.lastUsedAtMs)} from ${key.lastUsedAddress}`,
      ends === Number.POSITIVE_INFINITY
        ? "never"
        : html`${isOver && html`<span class="over">ended </span>`}${time(ends)}`,
      !isOver && actions(key),
    ];
  };
  return tableOf("API keys, newest first", heads, keys.map(row), empty);
}

/** Connected apps, each with a button to disconnect it. @param userOf as for keys */
export function appTable<One extends Connection>(
  visit: Pick<Visit<unknown>, "form">,
  apps: readonly One[],
  empty: string,
  userOf?: (app: One) => Html,
): Html {
  const user = userOf ? ["User"] : [];
  const heads = ["App name (unverified)", ...user, "Redirects to", "Connected", "Last used", "Actions"];
  const row = (app: One) => {
    const shown = app.name ?? "Unnamed app";
    const button = html`<button class="danger">Disconnect<span class="away"> ${shown}</span></button>`;
    return [
      shown,
      ...(userOf ? [userOf(app)] : []),
      html`<code>${app.redirectHost}</code>`,
      time(app.createdAtMs),
      app.lastUsedAtMs === null ? "never" : time(app.lastUsedAtMs),
      visit.form("disconnect", button, { hidden: { app: app.id, name: shown } }),
    ];
  };
  return tableOf("Connected apps, newest first", heads, apps.map(row), empty);
}

/** Revokes the key whose id is in the form. @param own whether only the sender's own keys may be revoked */
export function revokeAct<Who>(keys: Pick<Keys, "revoke">, own: boolean): Act<Who> {
  return {
    ask: ({ fields }) => ({
      question: `Revoke the key ${fields.get("name") ?? ""}? Programs that use it will stop working at once. This cannot be undone.`,
      button: "Revoke",
    }),
    async run({ fields, actor }) {
      const revoked = await keys.revoke(own ? actor.actor : null, fields.get("key") ?? "", actor);
      return { said: `Key ${revoked.prefix}… (${revoked.name}) was revoked.` };
    },
  };
}

/** Ends the connection whose id is in the form. @param own as for keys */
export function disconnectAct<Who>(connections: Pick<Connections, "disconnect">, own: boolean): Act<Who> {
  return {
    ask: ({ fields }) => ({
      question: `Disconnect ${fields.get("name") ?? ""}? Its tokens stop working at once, and the app has to sign in again.`,
      button: "Disconnect",
    }),
    async run({ fields, actor }) {
      if (await connections.disconnect(own ? actor.actor : null, fields.get("app") ?? "", actor))
        return { said: `${fields.get("name") ?? "The app"} was disconnected.` };
      throw new ServiceError("invalid_parameter", "This connection no longer exists.");
    },
  };
}

/** The form with a key's id, and the button that revokes it after a question. */
export function revokeForm(visit: Pick<Visit<unknown>, "form">, { id, name, prefix }: Key): Html {
  return visit.form(
    "revoke",
    html`<button class="danger">Revoke<span class="away"> ${name}</span></button>`,
    {
      hidden: { key: id, name: `${name} (${prefix}…)` },
    },
  );
}
