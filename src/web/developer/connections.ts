import type { Connection } from "../../accounts/oauth/connections.ts";
import { type Html, html } from "../../html.ts";
import { time } from "./time.ts";

/** The apps a person has connected, each with a button to disconnect it. */
export function connectionsSection(connections: readonly Connection[], csrf: string): Html {
  return html`<section aria-labelledby="connections">
    <h2 id="connections">Connected apps</h2>
    ${
      connections.length === 0
        ? html`<p>No connected apps yet. AI clients that sign in with your account appear here.</p>`
        : html`<div class="scroll">
            <table>
              <thead>
                <tr>
                  <th scope="col">App name (unverified)</th>
                  <th scope="col">Redirects to</th>
                  <th scope="col">Connected</th>
                  <th scope="col">Last used</th>
                  <th scope="col"><span class="away">Actions</span></th>
                </tr>
              </thead>
              <tbody>
                ${connections.map((connection) => row(connection, csrf))}
              </tbody>
            </table>
          </div>`
    }
  </section>`;
}

function row({ id, name, redirectHost, createdAtMs, lastUsedAtMs }: Connection, csrf: string): Html {
  const shown = name ?? "Unnamed app";
  return html`<tr>
    <th scope="row">${shown}</th>
    <td><code>${redirectHost}</code></td>
    <td>${time(createdAtMs)}</td>
    <td>${lastUsedAtMs === null ? "never" : time(lastUsedAtMs)}</td>
    <td>
      <form method="post" action="/developer/connections/${id}/disconnect">
        <input type="hidden" name="csrf" value="${csrf}" />
        <button class="danger">Disconnect<span class="away"> ${shown}</span></button>
      </form>
    </td>
  </tr>`;
}
