import { endsAt, hasEnded, type Key, type Keys } from "../../accounts/keys.ts";
import { type Html, html } from "../../html.ts";
import { pathTo, ROUTES } from "../../http/routes.ts";
import { time } from "../developer/time.ts";
import { type AdminAct, type AdminPage, tableOf, type Visit } from "./frame.ts";
import { newestFirst } from "./newest-first.ts";

/** `/admin/keys`: the API keys of all users. */
export function keysPage({ keys }: { keys: Pick<Keys, "page" | "revoke"> }): AdminPage {
  return {
    title: "API keys",
    tab: "adminKeys",
    async main(visit) {
      const text = visit.url.searchParams.get("q") ?? "";
      const { listed, next } = await newestFirst(visit, (range) => keys.page({ text, ...range }));
      return html`<form class="row filters panel" method="get" action="${ROUTES.adminKeys.path}">
          <label class="wide"
            >Name, prefix, id or e-mail contains <input name="q" value="${text}" maxlength="254"
          /></label>
          <button>Search</button>
        </form>
        ${tableOf(
          "Keys, newest first",
          ["Name", "User", "Key", "Created", "Last used", "Status", "Actions"],
          listed.map((key) =>
            keyRow(visit, key, html`<a href="${pathTo("adminUser", { id: key.userId })}">${key.email}</a>`),
          ),
          text === "" ? "No keys yet." : `No keys match "${text}".`,
        )}
        ${next}`;
    },
    acts: { revoke: revokeAct(keys) },
  };
}

/** Revokes the key whose id is in the form. */
export function revokeAct(keys: Pick<Keys, "revoke">): AdminAct {
  return {
    ask: ({ fields }) => ({
      question: `Revoke the key ${fields.get("name") ?? ""}? Programs that use it will stop working at once. This cannot be undone.`,
      button: "Revoke",
    }),
    async run({ fields, actor }) {
      const { name, prefix } = await keys.revoke(null, fields.get("key") ?? "", actor);
      return { said: `Key ${prefix}… (${name}) was revoked.` };
    },
  };
}

/** A key as a table row. @param user its owner, in tables of several users */
export function keyRow(visit: Visit, key: Key, user: Html | null = null): Html {
  const { id, name, prefix, lastFour, createdAtMs, lastUsedAtMs, lastUsedAddress } = key;
  const ends = endsAt(key);
  const isExpired = hasEnded(key, visit.nowMs);
  return html`<tr${isExpired && html` class="expired"`}>
    <th scope="row">${name}</th>
    ${user !== null && html`<td>${user}</td>`}
    <td><code>${prefix}…${lastFour}</code></td>
    <td>${time(createdAtMs)}</td>
    <td>${lastUsedAtMs === null ? "never" : html`${time(lastUsedAtMs)} from ${lastUsedAddress}`}</td>
    <td>${isExpired ? html`ended ${time(ends)}` : ends === Number.POSITIVE_INFINITY ? "active" : html`until ${time(ends)}`}</td>
    <td>
      ${
        !isExpired &&
        visit.form("revoke", html`<button class="danger">Revoke<span class="away"> ${name}</span></button>`, {
          hidden: { key: id, name: `${name} (${prefix}…)` },
        })
      }
    </td>
  </tr>`;
}
