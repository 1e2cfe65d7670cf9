import type { UsageLine, UsageQuestion } from "../../accounts/ledger.ts";
import { csvHead, csvRow } from "../../domain/text.ts";
import { ServiceError } from "../../errors.ts";
import { type Html, html } from "../../html.ts";
import { pathTo, ROUTES } from "../../http/routes.ts";
import { operationText, readDay, tableOf } from "../account-tables.ts";
import { choice, field, filterForm } from "../fields.ts";
import { refusalNote } from "../forms.ts";
import { counted } from "../pages/parts.ts";
import { type AdminDeps, type AdminPage, csvDownload, type OwnerVisit } from "./frame.ts";

const DAY_MS = 86_400_000;
/** Lines of a page; the CSV has all of them. */
const SHOWN = 500;
/** Lines handled at once, so that other requests are answered in between. */
const SOME = 5000;

type Line = UsageLine & { period: string };

/** `/admin/usage`: who used credits for what, by day or month. */
export function usagePage(deps: AdminDeps): AdminPage {
  return {
    title: "Usage",
    async main(visit) {
      const form = questionForm(visit);
      try {
        return html`${form} ${await report(deps, visit)}`;
      } catch (refused) {
        if (!(refused instanceof ServiceError) || refused.kind !== "invalid_parameter") throw refused;
        return html`${form} ${refusalNote(refused.message)}`;
      }
    },
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

/** The days of the address; by default the last thirty. Refuses with `invalid_parameter`. */
function readDays({ url: { searchParams }, nowMs }: OwnerVisit): { sinceMs: number; untilMs: number } {
  const today = Math.floor(nowMs / DAY_MS) * DAY_MS;
  const given = (name: string) => readDay((searchParams.get(name) ?? "").trim());
  return {
    sinceMs: given("since") ?? today - 30 * DAY_MS,
    untilMs: (given("until") ?? today) + DAY_MS,
  };
}

async function readQuestion({ users }: AdminDeps, visit: OwnerVisit): Promise<UsageQuestion> {
  const { searchParams } = visit.url;
  const who = (searchParams.get("who") ?? "").trim();
  const only = who === "" ? undefined : await users.findByEmail(who);
  if (who !== "" && only === undefined) throw new ServiceError("invalid_parameter", `No user ${who}.`);
  const by = searchParams.get("by") === "month" ? "month" : "day";
  return { by, userId: only?.id, ...readDays(visit) };
}

function questionForm(visit: OwnerVisit): Html {
  const given = (name: string) => visit.url.searchParams.get(name) ?? "";
  const day = (ms: number) => new Date(ms).toISOString().slice(0, 10);
  let days = { since: given("since"), until: given("until") };
  try {
    const { sinceMs, untilMs } = readDays(visit);
    days = { since: day(sinceMs), until: day(untilMs - DAY_MS) };
  } catch (refused) {
    // The report says what is wrong with them.
    if (!(refused instanceof ServiceError)) throw refused;
  }
  const who = { name: "who", value: given("who"), maxlength: 254 };
  return filterForm(
    ROUTES.adminUsage.path,
    html`${field("E-mail, empty for all", who, { className: "wide" })}
    ${choice(
      "By",
      "by",
      [
        ["day", "day"],
        ["month", "month"],
      ],
      given("by"),
    )}
    ${field("Since", { type: "date", name: "since", value: days.since })}
    ${field("Until", { type: "date", name: "until", value: days.until })}`,
  );
}

/** The sum of all lines, and the first of them: within a day or month, those with the most credits. */
async function report(deps: AdminDeps, visit: OwnerVisit): Promise<Html> {
  const question = await readQuestion(deps, visit);
  const people = new Set<string>();
  const shown: Line[] = [];
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
      if (shown.length < SHOWN) {
        most = [...most, ...some].sort((a, b) => b.credits - a.credits).slice(0, SHOWN - shown.length);
      }
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
      ["When", "User", "What", { number: "Credits" }, { number: "Times" }],
      shown.map(({ period, userId, operation, credits, uses }) => [
        html`<time class="whole">${period}</time>`,
        html`<a href="${pathTo("adminUser", { id: userId })}">${emails.get(userId) ?? userId}</a>`,
        operationText(operation),
        credits.toLocaleString("en-US"),
        uses.toLocaleString("en-US"),
      ]),
      "No credits were used in this period.",
    )}
    ${count > 0 && html`<p><a href="${ROUTES.adminUsageDownload.path}${visit.url.search}">Download as CSV</a></p>`}`;
}
