import { ServiceError } from "../../errors.ts";
import type { Connection, Connections } from "../../accounts/oauth/connections.ts";
import { type Html, html } from "../../html.ts";
import { pathTo } from "../../http/routes.ts";
import { time } from "../developer/time.ts";
import { type AdminAct, type AdminPage, tableOf, type Visit } from "./frame.ts";
import { newestFirst } from "./newest-first.ts";

/** `/admin/apps`: the connected apps of all users. */
export function appsPage({
  connections,
}: {
  connections: Pick<Connections, "page" | "disconnect">;
}): AdminPage {
  return {
    title: "Connected apps",
    tab: "adminApps",
    async main(visit) {
      const { listed, next } = await newestFirst(visit, (range) => connections.page(range));
      return html`${tableOf(
        "Apps, newest first",
        ["App name (unverified)", "User", "Redirects to", "Connected", "Last used", "Actions"],
        listed.map((app) =>
          appRow(visit, app, html`<a href="${pathTo("adminUser", { id: app.userId })}">${app.email}</a>`),
        ),
        "No connected apps yet. AI clients that people sign in with appear here.",
      )}
      ${next}`;
    },
    acts: { disconnect: disconnectAct(connections) },
  };
}

/** Ends the connection whose id is in the form. */
export function disconnectAct(connections: Pick<Connections, "disconnect">): AdminAct {
  return {
    ask: ({ fields }) => ({
      question: `Disconnect ${fields.get("name") ?? ""}? Its tokens stop working at once, and the app has to sign in again.`,
      button: "Disconnect",
    }),
    async run({ fields, actor }) {
      if (await connections.disconnect(null, fields.get("app") ?? "", actor))
        return { said: `${fields.get("name") ?? "The app"} was disconnected.` };
      throw new ServiceError("invalid_parameter", "This connection no longer exists.");
    },
  };
}

/** A connection as a table row. @param user its owner, in tables of several users */
export function appRow(visit: Visit, app: Connection, user: Html | null = null): Html {
  const { id, name, redirectHost, createdAtMs, lastUsedAtMs } = app;
  const shown = name ?? "Unnamed app";
  return html`<tr>
    <th scope="row">${shown}</th>
    ${user !== null && html`<td>${user}</td>`}
    <td><code>${redirectHost}</code></td>
    <td>${time(createdAtMs)}</td>
    <td>${lastUsedAtMs === null ? "never" : time(lastUsedAtMs)}</td>
    <td>
      ${visit.form(
        "disconnect",
        html`<button class="danger">Disconnect<span class="away"> ${shown}</span></button>`,
        {
          hidden: { app: id, name: shown },
        },
      )}
    </td>
  </tr>`;
}
