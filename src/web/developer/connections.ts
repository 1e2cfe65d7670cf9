import type { Connection } from "../../grants/connections.ts";
import { type Html, html } from "../../html.ts";
import { time } from "./time.ts";

/** The applications that a person has let in, each with a way to end it at once. */
export function connectionsSection(connections: readonly Connection[], csrf: string): Html {
  return html`<section aria-labelledby="connections">
    <h2 id="connections">Connected applications</h2>
    ${
      connections.length === 0
        ? html`<p>None. An AI client that you connect signs in here and then stands in this list.</p>`
        : html`<div class="scroll">
            <table>
              <thead>
                <tr>
                  <th scope="col">Application (its own word)</th>
                  <th scope="col">Answers to</th>
                  <th scope="col">Connected</th>
                  <th scope="col">Last used</th>
                  <th scope="col"><span class="away">What to do</span></th>
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
  const shown = name ?? "without a name";
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
