import { MAX_GROUP_NAME, MAX_GROUPS, type PeerGroup } from "../../accounts/peer-groups.ts";
import { MAX_COMPARED } from "../../domain/company-list.ts";
import { MAX_COMPANIES } from "../../domain/selection.ts";
import { type Html, html } from "../../html.ts";
import type { PageCompany } from "../../operations/page-data.ts";
import type { Visit } from "../forms.ts";
import { nameInList, pathOf } from "./parts.ts";

/** A person's peer groups, and the form for a new one. */
export function groupsMain(groups: readonly PeerGroup[], visit: Pick<Visit<unknown>, "form">): Html {
  return html`<p>Saved lists of companies for comparisons and rankings. Only you can see them.</p>
    ${
      groups.length === 0
        ? html`<p class="soft">No groups yet.</p>`
        : html`<ul class="results">
            ${groups.map(
              ({ id, name, ciks }) =>
                html`<li>
                  <a href="/groups/${id}">${name}</a>
                  <span class="soft">${companiesText(ciks.length)}</span>
                </li>`,
            )}
          </ul>`
    }
    ${
      groups.length < MAX_GROUPS
        ? html`<h2>New group</h2>
            ${visit.form("create", groupFields("", "", "Save group"), { className: "panel stacked" })}`
        : html`<p class="note">You have ${MAX_GROUPS} groups, the maximum.</p>`
    }`;
}

/** A group: links that use it, its companies, and the form to change it. */
export function groupMain(
  group: PeerGroup,
  listed: readonly PageCompany[],
  visit: Pick<Visit<unknown>, "form">,
  sharedAt: string,
): Html {
  const fields = groupFields(group.name, listText(listed, ", "), "Save changes");
  return html`${uses(listed, `group=${group.id}`)}
    <h2>${companiesText(listed.length)}</h2>
    ${companyList(listed)}
    <h2>Share</h2>
    <p>
      <a href="${sharedAt}">Link to this list</a>. Anyone with the link sees the name, the companies as they
      are now, and the data that this server lets them see.
    </p>
    <h2>Change</h2>
    ${visit.form("change", fields, { version: group.version, className: "panel stacked" })}
    ${visit.form("delete", html`<button class="danger">Delete this group…</button>`)}`;
}

/** A list shared by a link. @param keep the form that saves it, or what is shown instead */
export function sharedMain(
  name: string,
  { found, unknown }: { found: readonly PageCompany[]; unknown: readonly string[] },
  keep: Html,
): Html {
  return html`<p class="soft">A list of companies shared with you by a link</p>
    <h1>${name === "" ? "Shared list" : html`“${name}”`}</h1>
    ${unknownNote(unknown)}
    ${
      found.length === 0
        ? html`<p>None of the companies in this link was found.</p>`
        : html`${uses(found, `t=${listText(found, ",")}`)}
            <h2>${companiesText(found.length)}</h2>
            ${companyList(found)} ${keep}`
    }`;
}

/** The form that saves a shared list. */
export function keepForm(name: string, found: readonly PageCompany[], csrf: string, number: string): Html {
  return html`<form class="row" method="post" action="/groups">
    <input type="hidden" name="act" value="create" />
    <input type="hidden" name="once" value="${number}" />
    <input type="hidden" name="csrf" value="${csrf}" />
    <input type="hidden" name="name" value="${name === "" ? "Shared list" : name}" />
    <input type="hidden" name="companies" value="${listText(found, " ")}" />
    <button>Save as my peer group</button>
  </form>`;
}

/** A warning about entries that match no company. */
export function unknownNote(unknown: readonly string[]): Html | false {
  return (
    unknown.length > 0 &&
    html`<p class="warning">
      No company found for ${unknown.slice(0, 20).join(", ")}${unknown.length > 20 && ", …"}.
    </p>`
  );
}

/** The list as text for an address or a form. */
export function listText(found: readonly PageCompany[], separator: string): string {
  return found.map(nameInList).join(separator);
}

function uses(listed: readonly PageCompany[], query: string): Html {
  const first = listed.length > MAX_COMPARED ? `Compare the first ${MAX_COMPARED}` : "Compare";
  const ranked = query.replace(/^t=/, "companies=");
  return html`<p class="row actions">
    <a class="button primary" href="/compare?${query}">${first}</a>
    <a class="button" href="/rankings?office=peo&amp;${ranked}">CEO ranking and statistics</a>
    <a class="button" href="/rankings?office=pfo&amp;${ranked}">CFO ranking and statistics</a>
  </p>`;
}

/** Companies by name, each a link to its page; companies without rows are marked. */
export function companyList(listed: readonly PageCompany[]): Html {
  return html`<ul class="names">
    ${listed.map(
      (one) =>
        html`<li>
          <a href="${pathOf(one)}">${one.company.name}</a>
          <span class="soft">${one.ticker}${!one.company.hasRows && " · no rows yet"}</span>
        </li>`,
    )}
  </ul>`;
}

function groupFields(name: string, list: string, button: string): Html {
  return html`<label
      >Name
      <input name="name" required maxlength="${MAX_GROUP_NAME}" value="${name}" placeholder="Large banks" />
    </label>
    <label
      >Ticker symbols, up to ${MAX_COMPANIES}; for a company without one, its CIK, such as CIK0000320193
      <textarea name="companies" rows="4" required maxlength="4000" placeholder="JPM, BAC, C, WFC">
${list}</textarea>
    </label>
    <div><button class="primary">${button}</button></div>`;
}

/** `1 company`, `12 companies`. */
export function companiesText(count: number): string {
  return count === 1 ? "1 company" : `${count} companies`;
}
