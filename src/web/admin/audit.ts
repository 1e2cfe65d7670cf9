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
import { type Html, html } from "../../lib/html.ts";
import { ROUTES } from "../../http/routes.ts";
import { pageOf, readDay, tableOf, time, withParameters } from "../account-tables.ts";
import { choice, field, filterForm, periodFields } from "../fields.ts";
import { type AdminDeps, type AdminPage, csvDownload, filtered, idOf, type OwnerVisit } from "./frame.ts";
import { DAY_MS } from "../../domain/fiscal-year.ts";

const PAGE = 100;
const NOT_USERS: readonly string[] = ["operator", "server", "visitor"];

/** `/admin/audit`: who did what, with filters, in pages. */
export function auditPage(deps: AdminDeps): AdminPage {
  return {
    title: "Audit log",
    main: (visit) =>
      filtered(filters(visit.url), async () => {
        const filter = await readFilter(deps, visit.url);
        const read = (limit: number) => deps.audit.list({ ...filter, before: readPlace(visit), limit });
        const placeOf = ({ atMs, id }: AuditEntry) => ({ before: `${atMs}.${id}` });
        const { listed, next } = await pageOf(visit, PAGE, read, placeOf);
        const { search } = new URL(withParameters(visit, { before: "" }), visit.url);
        return html`${auditTable(listed)} ${next}
          <p><a href="${ROUTES.adminAuditDownload.path}${search}">Download as CSV</a></p>`;
      }),
    acts: {},
  };
}

/** `/admin/audit/download`: all entries that match the filter, streamed. The download itself is recorded in the log. */
export async function auditDownload(deps: AdminDeps, visit: OwnerVisit): Promise<Response> {
  const filter = await readFilter(deps, visit.url);
  await deps.audit.record(visit.actor, { act: "audit_exported" });
  const pages = auditPages((range) => deps.audit.list(range), filter, Number.POSITIVE_INFINITY);
  return csvDownload("execcomp-audit.csv", auditCsv(pages));
}

/** The filter of an address. Refuses with `invalid_parameter`. */
async function readFilter(deps: AdminDeps, { searchParams }: URL): Promise<Omit<AuditFilter, "limit">> {
  const given = async <Value>(name: string, read: (text: string) => Promise<Value> | Value) => {
    const text = (searchParams.get(name) ?? "").trim();
    return text === "" ? undefined : read(text);
  };
  return {
    who: await given("who", (who) => (NOT_USERS.includes(who) ? who : idOf(deps, who))),
    act: await given("act", (act) => readAct(act, ACT_NAMES)),
    sinceMs: await given("since", readDay),
    untilMs: await given("until", (day) => readDay(day) + DAY_MS),
  };
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
    ${periodFields(given("since"), given("until"))}`,
  );
}

/** Audit entries as a table. */
export function auditTable(entries: readonly AuditEntry[]): Html {
  return tableOf("Audit entries, newest first (UTC)", entries, "No entries.", [
    ["Time", ({ atMs }) => time(atMs, "second")],
    ["Actor", ({ actor }) => actor],
    ["Action", ({ act }) => html`<span class="whole">${ACTS[act]}</span>`],
    ["Subject", subjectText],
    ["Before", ({ before }) => details(before)],
    ["After", ({ after }) => details(after)],
    [
      "From",
      ({ address, userAgent }) =>
        html`${address ?? "–"}${userAgent !== null && html`<span class="soft agent" title="${userAgent}">${userAgent}</span>`}`,
    ],
  ]);
}

function subjectText({ user, actor, subject }: AuditEntry): string {
  const about = [user === actor ? null : user, subject].filter((part) => part !== null);
  return about.length === 0 ? "–" : about.map(short).join(", ");
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
