import { MAX_GROUP_NAME, MAX_GROUPS, type PeerGroup } from "../../accounts/peer-groups.ts";
import { MAX_COMPARED } from "../../domain/company-list.ts";
import { MAX_COMPANIES } from "../../domain/selection.ts";
import { type Html, html } from "../../html.ts";
import type { PageCompany } from "../../operations/page-data.ts";
import { nameInList, pathOf } from "./parts.ts";

/** The form of a peer group. */
export interface GroupForm {
  csrf: string;
  name: string;
  /** As entered, or the group's list. */
  companies: string;
  /** The error of the last submission. */
  problem: string | null;
}

/** A person's peer groups, and the form for a new one. */
export function groupsMain(groups: readonly PeerGroup[], form: GroupForm): Html {
  return html`<h1>Peer groups</h1>
    <p>Saved lists of companies for comparisons and rankings. Only you can see them.</p>
    ${
      groups.length === 0
        ? html`<p class="soft">No groups yet.</p>`
        : html`<ul class="results">
            ${groups.map(
              ({ id, name, ciks }) =>
                html`<li>
                  <a href="/groups/${id}">${name}</a>
                  <span class="soft">${companies(ciks.length)}</span>
                </li>`,
            )}
          </ul>`
    }
    ${
      groups.length < MAX_GROUPS
        ? html`<h2>New group</h2>
            ${groupForm("/groups", form, "Save group")}`
        : html`<p class="note">You have ${MAX_GROUPS} groups, the maximum.</p>`
    }`;
}

/** A group: links that use it, its companies, and the form to change it. */
export function groupMain(
  group: PeerGroup,
  listed: readonly PageCompany[],
  form: GroupForm,
  sharedAt: string,
): Html {
  return html`<p class="soft"><a href="/groups">Peer groups</a></p>
    <h1>${group.name}</h1>
    ${uses(listed, `group=${group.id}`)}
    <h2>${companies(listed.length)}</h2>
    ${companyList(listed)}
    <h2>Share</h2>
    <p>
      <a href="${sharedAt}">Link to this list</a>. Anyone with the link sees the name, the companies as they
      are now, and the data that this server lets them see.
    </p>
    <h2>Change</h2>
    ${groupForm(`/groups/${group.id}`, form, "Save changes")}
    <p><a class="button danger" href="/groups/${group.id}/delete">Delete this group…</a></p>`;
}

/** Asks for confirmation before a group is deleted. */
export function deleteGroupMain(group: PeerGroup, csrf: string): Html {
  return html`<div class="narrow">
    <h1>Delete “${group.name}”?</h1>
    <p>
      The list of ${companies(group.ciks.length)} will be deleted. Links you have shared will keep working.
    </p>
    <form class="row" method="post" action="/groups/${group.id}/delete">
      <input type="hidden" name="csrf" value="${csrf}" />
      <button class="danger">Delete group</button>
      <a class="button" href="/groups/${group.id}">Cancel</a>
    </form>
  </div>`;
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
            <h2>${companies(found.length)}</h2>
            ${companyList(found)} ${keep}`
    }`;
}

/** The form that saves a shared list. */
export function keepForm(name: string, found: readonly PageCompany[], csrf: string): Html {
  return html`<form class="row" method="post" action="/groups">
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

function groupForm(
  action: string,
  { csrf, name, companies: text, problem }: GroupForm,
  button: string,
): Html {
  return html`${problem !== null && html`<p class="error" role="alert">${problem}</p>`}
    <form class="panel stacked" method="post" action="${action}">
      <input type="hidden" name="csrf" value="${csrf}" />
      <label
        >Name
        <input name="name" required maxlength="${MAX_GROUP_NAME}" value="${name}" placeholder="Large banks" />
      </label>
      <label
        >Ticker symbols, up to ${MAX_COMPANIES}; for a company without one, its CIK, such as CIK0000320193
        <textarea name="companies" rows="4" required maxlength="4000" placeholder="JPM, BAC, C, WFC">
${text}</textarea>
      </label>
      <div><button class="primary">${button}</button></div>
    </form>`;
}

function companies(count: number): string {
  return count === 1 ? "1 company" : `${count} companies`;
}
