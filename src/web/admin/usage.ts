import type { AuditLog } from "../../accounts/audit.ts";
import type { Credits, UsageLine } from "../../accounts/credits.ts";
import type { Users } from "../../accounts/users.ts";
import { ServiceError } from "../../errors.ts";
import { type Html, html } from "../../html.ts";
import { pathTo, ROUTES } from "../../http/routes.ts";
import { operationText, readDay, tableOf } from "../account-tables.ts";
import { refusalNote } from "../forms.ts";
import type { AdminPage, OwnerVisit } from "./frame.ts";

export interface UsagePageDeps {
  credits: Pick<Credits, "usage">;
  users: Pick<Users, "findByEmail">;
  audit: Pick<AuditLog, "record">;
}

const DAY_MS = 86_400_000;
/** Lines of a page; the CSV has all of them. */
const SHOWN = 500;

/** What somebody was charged for something in a day or month. */
interface Line {
  /** `2026-11-22` or `2026-11`. */
  period: string;
  userId: string;
  email: string;
  operation: string | null;
  credits: number;
  uses: number;
}

interface Question {
  by: "day" | "month";
  who: string;
  sinceMs: number;
  /** Exclusive. */
  untilMs: number;
}

/** `/admin/usage`: who used credits for what, by day or month. */
export function usagePage(deps: UsagePageDeps): AdminPage {
  return {
    title: "Usage",
    async main(visit) {
      try {
        const question = readQuestion(visit);
        const { lines, isCut } = await linesOf(deps, question);
        return html`${questionForm(question)} ${report(visit, lines, isCut)}`;
      } catch (refused) {
        if (!(refused instanceof ServiceError) || refused.kind !== "invalid_parameter") throw refused;
        return html`${questionForm(defaultQuestion(visit.nowMs))} ${refusalNote(refused.message)}`;
      }
    },
    acts: {},
  };
}

/** `/admin/usage/download`: every line as CSV. The download itself is recorded in the audit log. */
export async function usageDownload(deps: UsagePageDeps, visit: OwnerVisit): Promise<Response> {
  const { lines } = await linesOf(deps, readQuestion(visit));
  await deps.audit.record(visit.actor, { act: "usage_exported" });
  const rows = lines.map(({ period, email, operation, credits, uses }) =>
    [period, email, operationText(operation), operation ?? "", credits, uses].map(cell).join(","),
  );
  return new Response(`${["period,user,what,operation,credits,uses", ...rows].join("\r\n")}\r\n`, {
    headers: {
      "content-type": "text/csv; charset=utf-8",
      "content-disposition": 'attachment; filename="execcomp-usage.csv"',
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
    },
  });
}

/** Text is quoted, and cannot begin a formula. */
function cell(value: string | number): string {
  if (typeof value === "number") return String(value);
  return `"${value.replace(/^[=+\-@\t\r]/, "'$&").replaceAll('"', '""')}"`;
}

function defaultQuestion(nowMs: number): Question {
  const today = Math.floor(nowMs / DAY_MS) * DAY_MS;
  return { by: "day", who: "", sinceMs: today - 30 * DAY_MS, untilMs: today + DAY_MS };
}

function readQuestion({ url: { searchParams }, nowMs }: OwnerVisit): Question {
  const given = (name: string) => (searchParams.get(name) ?? "").trim();
  const usual = defaultQuestion(nowMs);
  const until = readDay(given("until"));
  return {
    by: given("by") === "month" ? "month" : "day",
    who: given("who"),
    sinceMs: readDay(given("since")) ?? usual.sinceMs,
    untilMs: until === undefined ? usual.untilMs : until + DAY_MS,
  };
}

async function linesOf(
  { credits, users }: UsagePageDeps,
  { by, who, ...range }: Question,
): Promise<{ lines: Line[]; isCut: boolean }> {
  const only = who === "" ? undefined : await users.findByEmail(who);
  if (who !== "" && only === undefined) throw new ServiceError("invalid_parameter", `No user ${who}.`);
  const { lines, isCut } = await credits.usage(range);
  const sums = new Map<string, Line>();
  for (const line of lines) {
    if (only !== undefined && line.userId !== only.id) continue;
    const period = dayOf(line).slice(0, by === "month" ? 7 : 10);
    const key = `${period} ${line.userId} ${line.operation ?? ""}`;
    const { userId, email, operation } = line;
    const sum = sums.get(key) ?? { period, userId, email, operation, credits: 0, uses: 0 };
    sums.set(key, { ...sum, credits: sum.credits + line.credits, uses: sum.uses + line.uses });
  }
  const inOrder = [...sums.values()].toSorted(
    (a, b) => b.period.localeCompare(a.period) || b.credits - a.credits || a.email.localeCompare(b.email),
  );
  return { lines: inOrder, isCut };
}

function dayOf({ day }: Pick<UsageLine, "day">): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

function questionForm({ by, who, sinceMs, untilMs }: Question): Html {
  const day = (ms: number) => new Date(ms).toISOString().slice(0, 10);
  return html`<form class="row filters panel" method="get" action="${ROUTES.adminUsage.path}">
    <label class="wide">E-mail, empty for all <input name="who" value="${who}" maxlength="254" /></label>
    <label
      >By
      <select name="by">
        <option value="day">day</option>
        <option value="month" ${by === "month" && html`selected`}>month</option>
      </select></label
    >
    <label>Since <input type="date" name="since" value="${day(sinceMs)}" /></label>
    <label>Until <input type="date" name="until" value="${day(untilMs - DAY_MS)}" /></label>
    <button>Show</button>
  </form>`;
}

function report({ url }: OwnerVisit, lines: readonly Line[], isCut: boolean): Html {
  const sum = lines.reduce((total, { credits }) => total + credits, 0);
  const people = new Set(lines.map(({ userId }) => userId)).size;
  const download = ROUTES.adminUsageDownload.path + url.search;
  return html`<p class="figure">
      <strong>${sum.toLocaleString("en-US")}</strong> ${sum === 1 ? "credit" : "credits"} used
    </p>
    <p class="soft">
      By ${people} ${people === 1 ? "user" : "users"}, in UTC days. Free answers are not listed.
      ${isCut && "Only the newest million charges were counted: choose a shorter period."}
    </p>
    ${tableOf(
      `Credits used${lines.length > SHOWN ? `, the first ${SHOWN} of ${lines.length} lines` : ""}`,
      ["When", "User", "What", { number: "Credits" }, { number: "Times" }],
      lines.slice(0, SHOWN).map(
        ({ period, userId, email, operation, credits, uses }) =>
          html`<tr>
            <td class="whole">${period}</td>
            <th scope="row"><a href="${pathTo("adminUser", { id: userId })}">${email}</a></th>
            <td>${operationText(operation)}</td>
            <td class="number">${credits.toLocaleString("en-US")}</td>
            <td class="number">${uses.toLocaleString("en-US")}</td>
          </tr>`,
      ),
      "No credits were used in this period.",
    )}
    ${lines.length > 0 && html`<p><a href="${download}">Download as CSV</a></p>`}`;
}
