/** Lists across all users, newest first, in pages: the start of a page is in its address. */
import type { MaybePromise } from "../../domain/maybe-promise.ts";
import { type Html, html } from "../../html.ts";
import { type Visit, withParameters } from "./frame.ts";

const PAGE = 50;

/** The end of a page: creation time, then id among items created at that time. */
interface Place {
  createdAtMs: number;
  id: string;
}

/** A page of a list, with the link to the next one if there is more. */
export interface ListedPage<Item> {
  listed: readonly Item[];
  next: Html | false;
}

/** Reads the page of an address. @param read returns the items before a place, newest first */
export async function newestFirst<Item extends Place>(
  visit: Visit,
  read: (range: { before: Place | undefined; limit: number }) => MaybePromise<readonly Item[]>,
): Promise<ListedPage<Item>> {
  const found = await read({ before: readPlace(visit), limit: PAGE + 1 });
  const listed = found.slice(0, PAGE);
  const last = listed.at(-1);
  const next =
    found.length > PAGE &&
    last !== undefined &&
    html`<p>
      <a href="${withParameters(visit, { before: `${last.createdAtMs}.${last.id}` })}">Next ${PAGE}</a>
    </p>`;
  return { listed, next };
}

function readPlace({ url }: Visit): Place | undefined {
  const [, createdAtMs, id] =
    /^(\d{1,15})\.([0-9A-Za-z_-]{1,64})$/.exec(url.searchParams.get("before") ?? "") ?? [];
  return id === undefined ? undefined : { createdAtMs: Number(createdAtMs), id };
}
