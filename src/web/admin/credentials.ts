import type { Keys } from "../../accounts/keys.ts";
import type { Connections } from "../../accounts/oauth/grants.ts";
import { html } from "../../html.ts";
import { pathTo, ROUTES } from "../../http/routes.ts";
import { appTable, disconnectAct, keyTable, newestFirst, revokeAct, revokeForm } from "../account-tables.ts";
import type { AdminPage } from "./frame.ts";

export interface CredentialPagesDeps {
  keys: Pick<Keys, "page" | "revoke">;
  connections: Pick<Connections, "page" | "disconnect">;
}

const userLink = ({ userId, email }: { userId: string; email: string }) =>
  html`<a href="${pathTo("adminUser", { id: userId })}">${email}</a>`;

/** `/admin/keys`: the API keys of all users. */
export function keysPage({ keys }: CredentialPagesDeps): AdminPage {
  return {
    title: "API keys",
    async main(visit) {
      const text = visit.url.searchParams.get("q") ?? "";
      const { listed, next } = await newestFirst(visit, async (range) => keys.page({ text, ...range }));
      const empty = text === "" ? "No keys yet." : `No keys match "${text}".`;
      return html`<form class="row filters panel" method="get" action="${ROUTES.adminKeys.path}">
          <label class="wide"
            >Name, prefix, id or e-mail <input name="q" value="${text}" maxlength="254"
          /></label>
          <button>Search</button>
        </form>
        ${keyTable(listed, visit.nowMs, empty, (key) => revokeForm(visit, key), userLink)} ${next}`;
    },
    acts: { revoke: revokeAct(keys, false) },
  };
}

/** `/admin/apps`: the connected apps of all users. */
export function appsPage({ connections }: CredentialPagesDeps): AdminPage {
  return {
    title: "Connected apps",
    async main(visit) {
      const { listed, next } = await newestFirst(visit, async (range) => connections.page(range));
      const empty = "No connected apps yet. AI clients that people sign in with appear here.";
      return html`${appTable(visit, listed, empty, userLink)} ${next}`;
    },
    acts: { disconnect: disconnectAct(connections, false) },
  };
}
