import type { UsageLine, UsageQuestion } from "../../accounts/ledger.ts";
import { csvHead, csvRow } from "../../lib/csv.ts";
import { counted } from "../../lib/text.ts";
import { type Html, html } from "../../lib/html.ts";
import { ROUTES } from "../../http/routes.ts";
import { operationText, readDay, tableOf, userLink } from "../account-tables.ts";
import { choice, field, filterForm, periodFields } from "../fields.ts";
import { type AdminDeps, type AdminPage, csvDownload, filtered, idOf, type OwnerVisit } from "./frame.ts";
import { DAY_MS } from "../../domain/fiscal-year.ts";

/** Lines of a page; the CSV has all of them. */
const SHOWN = 500;
/** Lines handled at once, so that other requests are answered in between. */
const SOME = 5000;

type PeriodLine = UsageLine & { period: string };

/** `/admin/usage`: who used credits for what, by day or month. */
export function usagePage(deps: AdminDeps): AdminPage {
  return {
    title: "Usage",
    main: (visit) => filtered(questionForm(visit), () => report(deps, visit)),
    acts: {},
  };
}

/** `/admin/usage/download`: every line as CSV. The download itself is recorded in the audit log. */
export async function usageDownload(deps: AdminDeps, visit: OwnerVisit): Promise<Response> {
  const question = await readQuestion(deps, visit);
  await deps.audit.record(visit.actor, { act: "usage_exported" });
  return csvDownload("execcomp-usage.csv", csv(deps, question));
}

async function* csv({ credits, users }: AdminDeps, question: UsageQuestion): AsyncGenerator<string> {
  yield `${csvHead(["period", "user", "what", "operation", "credits", "uses"])}\r\n`;
  for await (const { period, lines } of credits.usage(question)) {
    for (const some of inParts(lines, SHOWN)) {
      const emails = await users.emails(some.map(({ userId }) => userId));
      const rows = some.map(({ userId, operation, credits, uses }) => {
        const user = emails.get(userId) ?? userId;
        return `${csvRow([period, user, operationText(operation), operation, credits, uses])}\r\n`;
      });
      yield rows.join("");
      await Bun.sleep(0);
    }
  }
}

function* inParts<One>(all: readonly One[], length: number): Generator<readonly One[]> {
  for (let from = 0; from < all.length; from += length) yield all.slice(from, from + length);
}

/** What the form was filled in with, or its defaults: the last thirty days of all users, by day. */
function givenIn({ url: { searchParams }, nowMs }: OwnerVisit) {
  const given = (name: string) => (searchParams.get(name) ?? "").trim();
  const day = (ms: number) => new Date(ms).toISOString().slice(0, 10);
  return {
    who: given("who"),
    by: given("by") === "month" ? ("month" as const) : ("day" as const),
    since: given("since") || day(nowMs - 30 * DAY_MS),
    until: given("until") || day(nowMs),
  };
}

/** The question of the address. Refuses with `invalid_parameter`. */
async function readQuestion(deps: AdminDeps, visit: OwnerVisit): Promise<UsageQuestion> {
  const { who, by, since, until } = givenIn(visit);
  const userId = who === "" ? undefined : await idOf(deps, who);
  return { by, userId, sinceMs: readDay(since), untilMs: readDay(until) + DAY_MS };
}

function questionForm(visit: OwnerVisit): Html {
  const { who, by, since, until } = givenIn(visit);
  const periods = ["day", "month"].map((name) => [name, name] as const);
  const user = { name: "who", value: who, maxlength: 254 };
  return filterForm(
    ROUTES.adminUsage.path,
    html`${field("E-mail, empty for all", user, { className: "wide" })} ${choice("By", "by", periods, by)}
    ${periodFields(since, until)}`,
  );
}

/** The sum of all lines, and the first of them: within a day or month, those with the most credits. */
async function report(deps: AdminDeps, visit: OwnerVisit): Promise<Html> {
  const question = await readQuestion(deps, visit);
  const people = new Set<string>();
  const shown: PeriodLine[] = [];
  let [sum, count, isCut] = [0, 0, false];
  for await (const { period, lines, isCut: isLeftOut } of deps.credits.usage(question)) {
    isCut ||= isLeftOut;
    count += lines.length;
    let most: UsageLine[] = [];
    for (const some of inParts(lines, SOME)) {
      for (const { userId, credits } of some) {
        people.add(userId);
        sum += credits;
      }
      if (shown.length < SHOWN)
        most = [...most, ...some].sort((a, b) => b.credits - a.credits).slice(0, SHOWN - shown.length);
      await Bun.sleep(0);
    }
    shown.push(...most.map((line) => ({ ...line, period })));
  }
  const emails = await deps.users.emails(shown.map(({ userId }) => userId));
  return html`<p class="figure">
      <strong>${sum.toLocaleString("en-US")}</strong> ${sum === 1 ? "credit" : "credits"} used
    </p>
    <p class="soft">
      By ${counted(people.size, "user")}, in UTC days. Free answers are not listed.
      ${isCut && "Only the newest million charges were counted: choose a shorter period."}
    </p>
    ${tableOf(
      `Credits used${count > SHOWN ? `, the first ${SHOWN} of ${count.toLocaleString("en-US")} lines` : ""}`,
      shown,
      "No credits were used in this period.",
      [
        ["When", ({ period }) => html`<time class="whole">${period}</time>`],
        ["User", ({ userId }) => userLink({ userId, email: emails.get(userId) ?? userId })],
        ["What", ({ operation }) => operationText(operation)],
        [{ number: "Credits" }, ({ credits }) => credits.toLocaleString("en-US")],
        [{ number: "Times" }, ({ uses }) => uses.toLocaleString("en-US")],
      ],
    )}
    ${count > 0 && html`<p><a href="${ROUTES.adminUsageDownload.path}${visit.url.search}">Download as CSV</a></p>`}`;
}
