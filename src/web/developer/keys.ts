import { endsAt, hasEnded, type Key, type OVERLAPS_MS } from "../../accounts/keys.ts";
import { type Html, html } from "../../html.ts";
import { time } from "./time.ts";

/** How long a rotated key stays active beside its successor. */
const OVERLAPS: Readonly<Record<keyof typeof OVERLAPS_MS, string>> = {
  none: "Revoke the old key now",
  hour: "Keep the old key active for 1 hour",
  day: "Keep the old key active for 1 day",
  week: "Keep the old key active for 1 week",
};

/** Whether a submitted value is one of them. */
export function isOverlap(word: string): word is keyof typeof OVERLAPS_MS {
  return Object.hasOwn(OVERLAPS, word);
}

/** Lifetimes offered for a new key: days (empty for never) and the label. */
export const LIFETIMES: readonly (readonly [days: string, words: string])[] = [
  ["", "Never"],
  ["30", "In 30 days"],
  ["90", "In 90 days"],
  ["365", "In a year"],
];

/** The secret of a new key, shown only once. */
export function freshKey(secret: string): Html {
  return html`<section class="warning" id="fresh" aria-labelledby="fresh-title">
    <h2 id="fresh-title">Copy your new key now</h2>
    <p>It is shown only once. You cannot view it again after you leave this page.</p>
    <pre class="secret" id="secret" tabindex="0">${secret}</pre>
    <p class="row">
      <button type="button" class="primary" data-copy="secret">Copy</button>
      <a class="button" href="/developer" data-leave>I have copied it</a>
      <a class="button" href="/api/docs" data-leave>Try it in the API reference</a>
    </p>
  </section>`;
}

/**
 * A person's keys with the actions on each; works without a script.
 * @param options.freeCredits free credits that come with the first key; 0 if already received
 */
export function keysSection(
  keys: readonly Key[],
  { csrf, once, nowMs, freeCredits }: { csrf: string; once: string; nowMs: number; freeCredits: number },
): Html {
  return html`<section aria-labelledby="keys">
    <h2 id="keys">API keys</h2>
    ${
      keys.length === 0
        ? html`<p>
            No keys yet.${freeCredits > 0 && ` Your first key comes with ${freeCredits} free credits.`}
          </p>`
        : html`<div class="scroll">
            <table>
              <thead>
                <tr>
                  <th scope="col">Name</th>
                  <th scope="col">Key</th>
                  <th scope="col">Created</th>
                  <th scope="col">Last used</th>
                  <th scope="col">Expires</th>
                  <th scope="col"><span class="away">Actions</span></th>
                </tr>
              </thead>
              <tbody>
                ${keys.map((key) => keyRow(key, csrf, nowMs))}
              </tbody>
            </table>
          </div>`
    }
    <form class="panel row" method="post" action="/developer/keys">
      <input type="hidden" name="csrf" value="${csrf}" /><input type="hidden" name="once" value="${once}" />
      <label>Name <input name="name" required maxlength="60" placeholder="my spreadsheet" /></label>
      <label
        >Expires
        <select name="days">
          ${LIFETIMES.map(([days, words]) => html`<option value="${days}">${words}</option>`)}
        </select></label
      >
      <button class="primary">Create API key</button>
    </form>
  </section>`;
}

function keyRow(key: Key, csrf: string, nowMs: number): Html {
  const ends = endsAt(key);
  const expired = hasEnded(key, nowMs);
  return html`<tr${expired && html` class="expired"`}>
    <th scope="row">${key.name}</th>
    <td><code>${key.prefix}…${key.lastFour}</code></td>
    <td>${time(key.createdAtMs)}</td>
    <td>${key.lastUsedAtMs === null ? "never" : html`${time(key.lastUsedAtMs)} from ${key.lastUsedAddress}`}</td>
    <td>${ends === Number.POSITIVE_INFINITY ? "never" : html`${expired && "expired "}${time(ends)}`}</td>
    <td>${!expired && actions(key, csrf)}</td>
  </tr>`;
}

/** Asks for confirmation before a key is revoked. */
export function revokeMain({ id, name, prefix, lastFour }: Key, csrf: string): Html {
  return html`<div class="narrow">
    <h1>Revoke “${name}”?</h1>
    <p>
      Programs that use <code>${prefix}…${lastFour}</code> will stop working at once. A revoked key cannot be
      restored; to replace it without interruption, rotate it instead.
    </p>
    <form class="row" method="post" action="/developer/keys/${id}/revoke">
      <input type="hidden" name="csrf" value="${csrf}" />
      <button class="danger">Revoke key</button>
      <a class="button" href="/developer">Cancel</a>
    </form>
  </div>`;
}

function actions(key: Key, csrf: string): Html {
  const form = (action: string, inside: Html) =>
    html`<form class="row" method="post" action="/developer/keys/${key.id}/${action}">
      <input type="hidden" name="csrf" value="${csrf}" />${inside}
    </form>`;
  return html`<details>
    <summary>Edit<span class="away"> ${key.name}</span></summary>
    ${form(
      "rename",
      html`<label>New name <input name="name" required maxlength="60" value="${key.name}" /></label>
        <button>Rename</button>`,
    )}
    ${form(
      "rotate",
      html`<label
          >Old key
          <select name="overlap">
            ${Object.entries(OVERLAPS).map(([value, words]) => html`<option value="${value}">${words}</option>`)}
          </select></label
        >
        <button>Rotate</button>`,
    )}
    <p><a class="button danger" href="/developer/keys/${key.id}/revoke">Revoke…</a></p>
  </details>`;
}
