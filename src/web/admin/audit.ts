import {
  ACT_NAMES,
  ACTS,
  type AuditEntry,
  type AuditFilter,
  type AuditPlace,
  readAct,
  auditCsv,
  auditPages,
} from "../../accounts/audit.ts";
import { ServiceError } from "../../errors.ts";
import { type Html, html } from "../../html.ts";
import { ROUTES } from "../../http/routes.ts";
import { pageOf, readDay, tableOf, withParameters } from "../account-tables.ts";
import { choice, field, filterForm } from "../fields.ts";
import { refusalNote } from "../forms.ts";
import { type AdminDeps, type AdminPage, csvDownload, type OwnerVisit } from "./frame.ts";

const PAGE = 100;
const DAY_MS = 86_400_000;
const NOT_USERS: readonly string[] = ["operator", "server", "visitor"];

/** `/admin/audit`: who did what, with filters, in pages. */
export function auditPage(deps: AdminDeps): AdminPage {
  return {
    title: "Audit log",
    async main(visit) {
      const filter = await readFilter(deps, visit.url);
      if (filter instanceof ServiceError) return html`${filters(visit.url)} ${refusalNote(filter.message)}`;
      const read = (limit: number) => deps.audit.list({ ...filter, before: readPlace(visit), limit });
      const placeOf = ({ atMs, id }: AuditEntry) => ({ before: `${atMs}.${id}` });
      const { listed, next } = await pageOf(visit, PAGE, read, placeOf);
      const { search } = new URL(withParameters(visit, { before: "" }), visit.url);
      return html`${filters(visit.url)} ${auditTable(listed)} ${next}
        <p><a href="${ROUTES.adminAuditDownload.path}${search}">Download as CSV</a></p>`;
    },
    acts: {},
  };
}

/** `/admin/audit/download`: all entries that match the filter, streamed. The download itself is recorded in the log. */
export async function auditDownload(deps: AdminDeps, visit: OwnerVisit): Promise<Response> {
  const filter = await readFilter(deps, visit.url);
  if (filter instanceof ServiceError) throw filter;
  await deps.audit.record(visit.actor, { act: "audit_exported" });
  const pages = auditPages((range) => deps.audit.list(range), filter, Number.POSITIVE_INFINITY);
  return csvDownload("execcomp-audit.csv", auditCsv(pages));
}

/** Reads the filter of an address; returns a refusal if it is not valid. */
async function readFilter(
  { users }: AdminDeps,
  url: URL,
): Promise<Omit<AuditFilter, "limit"> | ServiceError> {
  const given = (name: string) => (url.searchParams.get(name) ?? "").trim();
  try {
    const [who, act] = [given("who"), given("act")];
    return {
      who: who === "" ? undefined : await whoIs(users, who),
      act: act === "" ? undefined : readAct(act, ACT_NAMES),
      sinceMs: readDay(given("since")),
      untilMs: addDay(readDay(given("until"))),
    };
  } catch (refused) {
    if (refused instanceof ServiceError) return refused;
    throw refused;
  }
}

async function whoIs(users: AdminDeps["users"], who: string): Promise<string> {
  if (NOT_USERS.includes(who)) return who;
  const user = await users.findByEmail(who);
  if (user !== undefined) return user.id;
  throw new ServiceError("invalid_parameter", `No user ${who}.`);
}

function addDay(ms: number | undefined): number | undefined {
  return ms === undefined ? undefined : ms + DAY_MS;
}

function readPlace({ url }: OwnerVisit): AuditPlace | undefined {
  const [, atMs, id] = /^(\d{1,15})\.(\d{1,15})$/.exec(url.searchParams.get("before") ?? "") ?? [];
  return id === undefined ? undefined : { atMs: Number(atMs), id: Number(id) };
}

function filters({ searchParams }: URL): Html {
  const given = (name: string) => searchParams.get(name) ?? "";
  const who = { name: "who", value: given("who"), maxlength: 254 };
  return filterForm(
    ROUTES.adminAudit.path,
    html`${field("Actor (e-mail, operator, server, visitor)", who, { className: "wide" })}
    ${choice("Action", "act", [["", "All"], ...Object.entries(ACTS)], given("act"))}
    ${field("Since", { type: "date", name: "since", value: given("since") })}
    ${field("Until", { type: "date", name: "until", value: given("until") })}`,
  );
}

/** Audit entries as a table. */
export function auditTable(entries: readonly AuditEntry[]): Html {
  return tableOf(
    "Audit entries, newest first (UTC)",
    ["Time", "Actor", "Action", "Subject", "Before", "After", "From"],
    entries.map(row),
    "No entries.",
  );
}

function row({ atMs, actor, act, user, subject, before, after, address, userAgent }: AuditEntry) {
  const iso = new Date(atMs).toISOString();
  const about = [user === actor ? null : user, subject]
    .filter((part) => part !== null)
    .map(short)
    .join(", ");
  return [
    html`<time class="whole" datetime="${iso}">${iso.slice(0, 19).replace("T", " ")}</time>`,
    actor,
    html`<span class="whole">${ACTS[act]}</span>`,
    about === "" ? "–" : about,
    details(before),
    details(after),
    html`${address ?? "–"}${userAgent !== null && html`<span class="soft agent" title="${userAgent}">${userAgent}</span>`}`,
  ];
}

/** Shortens content hashes to sixteen digits, as everywhere; the CSV has them in full. */
function short(text: string): string {
  return /^[0-9a-f]{64}$/.test(text) ? `${text.slice(0, 16)}…` : text;
}

/** Formats `{"balance":100}` as `balance: 100`. */
function details(json: string | null): Html | string {
  if (json === null) return "–";
  // `recordAuditEvent` writes a flat object.
  const parts = Object.entries(JSON.parse(json) as Record<string, unknown>);
  return html`${parts.map(([name, value]) => html`<div>${name.replaceAll("_", " ")}: ${value === null ? "none" : short(String(value))}</div>`)}`;
}
