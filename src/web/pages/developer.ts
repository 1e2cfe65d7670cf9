/** `{site_url}/developer`: where people create and revoke keys, see their credits and connect clients. */
import type { CreditSummary } from "../../accounts/credits.ts";
import { type Key, OVERLAPS_MS } from "../../accounts/keys.ts";
import { invalid, ServiceError } from "../../errors.ts";
import { type Html, html } from "../../lib/html.ts";
import { redirectTo } from "../../http/html-responses.ts";
import { ROUTES } from "../../http/routes.ts";
import type { AccountDeps } from "../deps.ts";
import type { Person } from "../../http/session-cookies.ts";
import { readNext } from "../entry-pages.ts";
import {
  appTable,
  disconnectAct,
  keyTable,
  LEDGER,
  revokeAct,
  revokeForm,
  section,
  tableOf,
  tabLinks,
} from "../account-tables.ts";
import type { Act, Family, FormPage, FormVisit } from "../forms.ts";
import { checkbox, type Choices, choice, field } from "../fields.ts";
import { showAccount } from "../page-response.ts";
import { priceText, USAGE_PATH } from "../paywall.ts";
import { quickStart } from "./quick-start.ts";
import { barChart } from "../../charts/plots.ts";
import { figure } from "../../charts/frame.ts";
import { nameIn } from "../parts/addresses.ts";
import { chartData } from "../parts/elements.ts";
import { smallTable } from "../parts/tables.ts";
import { DAY_MS } from "../../domain/fiscal-year.ts";

/** How long a rotated key stays active beside its successor. */
const OVERLAPS: Readonly<Record<keyof typeof OVERLAPS_MS, string>> = {
  none: "Revoke the old key now",
  hour: "Keep the old key active for 1 hour",
  day: "Keep the old key active for 1 day",
  week: "Keep the old key active for 1 week",
};

/** Lifetimes offered for a new key: days (empty for never) and the label. */
const LIFETIMES: Choices = [
  ["", "Never"],
  ["30", "In 30 days"],
  ["90", "In 90 days"],
  ["365", "In a year"],
];

/** The page of a signed-in person. */
export const SIGNED_IN: Family<Person> = {
  enter: ({ session }) => session.person,
  frame({ viewer }, title, content, status) {
    const main = html`<h1>Developer</h1>
      ${content}`;
    return showAccount(viewer, { title, section: ROUTES.developer.path, main, status });
  },
};

const NO_APPS = "No connected apps yet. AI clients that sign in with your account appear here.";

/** `/developer`. */
export function developerPage(deps: AccountDeps): FormPage<Person> {
  const { keys, credits, sessions, creditsOf } = deps;
  const { connections } = deps.grants;
  return {
    title: "Developer",
    async main(visit) {
      const { userId } = visit.who;
      const summary = await credits.summary(userId);
      const { freeCredits, unmetered } = await creditsOf(userId);
      /** By their name in the address, so that they work without a script. */
      const tabs: Readonly<Record<string, [label: string, content: () => Promise<Html> | Html]>> = {
        keys: ["API keys", async () => keysTab(visit, await keys.list(userId), freeCredits)],
        "quick-start": ["Quick start", () => quickStart(visit.context.baseUrls, null)],
        usage: ["Usage and credits", () => usageTab(deps, visit, summary, freeCredits)],
        apps: [
          "Connected apps",
          async () =>
            section(
              "connections",
              "Connected apps",
              appTable(visit, await connections.list(userId), NO_APPS),
            ),
        ],
      };
      const tab = visit.url.searchParams.get("tab") ?? "";
      const open = Object.hasOwn(tabs, tab) ? tab : "keys";
      const pathOf = (name: string) => ROUTES.developer.path + (name === "keys" ? "" : `?tab=${name}`);
      const links = Object.entries(tabs).map(([name, [label]]) => [pathOf(name), label] as const);
      // Below on the page of usage; not for whoever has free ones to come.
      const note = open === "usage" || freeCredits > 0 ? "" : deps.config.creditsNote;
      return html`${balanceLine({ ...summary, unmetered: summary.unmetered || unmetered }, note)}
      ${tabLinks("Developer", links, pathOf(open))} ${await tabs[open]?.[1]()}`;
    },
    acts: {
      ...keyActs(deps),
      revoke: revokeAct(keys, true),
      disconnect: disconnectAct(connections, true),
      free_credits: async ({ who, actor, fields, url }) => {
        await credits.giveFirst(who.userId, actor);
        return redirectTo(url.origin + (readNext(fields.get("back")) ?? ROUTES.home.path));
      },
      sign_out_everywhere: async ({ who, actor }) => {
        await sessions.endAll(who.userId, null, actor);
        return null;
      },
    },
  };
}

function keyActs({ keys }: AccountDeps): Readonly<Record<string, Act<Person>>> {
  const fresh = ({ context }: FormVisit<Person>, secret: string) => ({
    main: html`${freshKey(secret)} ${quickStart(context.baseUrls, secret)}`,
  });
  return {
    create: async (sent) => {
      const { given, who, actor, nowMs, fields } = sent;
      const days = given("days");
      if (!LIFETIMES.some(([offered]) => offered === days)) throw invalid("Choose when the key expires.");
      const expiresAtMs = days === "" ? null : nowMs + Number(days) * DAY_MS;
      const { secret } = await keys.create(
        who.userId,
        { name: given("name"), expiresAtMs, isTest: fields.get("test") === "yes" },
        actor,
      );
      return fresh(sent, secret);
    },
    rename: async (sent) => {
      const { fields, given, who, actor } = sent;
      const id = given("key");
      const present = (await keys.list(who.userId)).find((key) => key.id === id)?.name ?? "";
      if ((fields.get("version") ?? present) !== present) {
        const message = `This key was renamed to “${present}” since you opened the page.`;
        throw new ServiceError("conflict", message);
      }
      await keys.rename(who.userId, id, given("name"), actor);
      return null;
    },
    rotate: async (sent) => {
      const { given, who, actor } = sent;
      const overlap = nameIn(OVERLAPS, given("overlap"));
      if (overlap === undefined) throw invalid("Choose how long the old key stays active.");
      const { secret } = await keys.rotate(who.userId, given("key"), overlap, actor);
      return fresh(sent, secret);
    },
  };
}

/** The secret of a new key, shown only once. */
function freshKey(secret: string): Html {
  return html`<section class="warning" id="fresh" aria-labelledby="fresh-title">
    <h2 id="fresh-title">Copy your new key now</h2>
    <p>It is shown only once. You cannot view it again after you leave this page.</p>
    <pre class="secret" id="secret" tabindex="0">${secret}</pre>
    <p class="row">
      <button type="button" class="primary" data-copy-from="secret">Copy</button>
      <a class="button" href="${ROUTES.developer.path}" data-leave>I have copied it</a>
      <a class="button" href="${ROUTES.docs.path}" data-leave>Try it in the API reference</a>
    </p>
  </section>`;
}

/** A person's keys with the actions on each. @param freeCredits come with the first key; 0 if already received */
function keysTab(visit: FormVisit<Person>, keys: readonly Key[], freeCredits: number): Html {
  const first = freeCredits > 0 ? ` Your first key comes with ${freeCredits} free credits.` : "";
  const name = { name: "name", required: true, maxlength: 60, placeholder: "my spreadsheet" };
  const fields = html`${field("Name", name)} ${choice("Expires", "days", LIFETIMES)}
    ${checkbox("Test key: never charged, latest years of five companies", { name: "test", value: "yes" })}
    <button class="primary">Create API key</button>`;
  const table = keyTable(keys, visit.nowMs, `No keys yet.${first}`, (key) => keyForms(visit, key));
  const everywhere = html`<button class="quiet">Sign out everywhere</button>`;
  return html`${section("keys", "API keys", table, visit.form("create", fields, { className: "panel row" }))}
  ${visit.form("sign_out_everywhere", everywhere, { className: "after" })}`;
}

function keyForms(visit: FormVisit<Person>, key: Key): Html {
  const options = { hidden: { key: key.id }, className: "row" };
  return html`<details>
    <summary>Edit<span class="away"> ${key.name}</span></summary>
    ${visit.form(
      "rename",
      html`${field("New name", { name: "name", required: true, maxlength: 60, value: key.name })}
        <button>Rename</button>`,
      { ...options, version: key.name },
    )}
    ${visit.form(
      "rotate",
      html`${choice("Old key", "overlap", Object.entries(OVERLAPS))} <button>Rotate</button>`,
      options,
    )}
    ${revokeForm(visit, key)}
  </details>`;
}

/** Days that the chart shows. */
const CHART_DAYS = 30;

/** Ledger entries on one page. */
const ENTRIES = 20;

/** The remaining credits, shown above every tab. @param note how to get more, if none are left */
function balanceLine({ balance, unmetered }: CreditSummary, note: string): Html {
  return unmetered
    ? html`<p class="soft">Unmetered: your requests cost no credits.</p>`
    : html`<p class="soft">
        <strong id="balance">${balance}</strong> ${balance === 1 ? "credit" : "credits"}
        left${balance <= 0 && note !== "" && `. ${note}`}
      </p>`;
}

/** Balance, prices, how to get more credits, and what they were used for. @param freeCredits as in `creditsOf` */
async function usageTab(
  { credits, config }: AccountDeps,
  { who, url, nowMs }: FormVisit<Person>,
  summary: CreditSummary,
  freeCredits: number,
): Promise<Html> {
  const from = Number(url.searchParams.get("from") ?? Number.NaN);
  const range = { limit: ENTRIES, ...(Number.isInteger(from) ? { from } : {}) };
  const byDay = await credits.chargedByDay(who.userId, nowMs - CHART_DAYS * DAY_MS);
  const entries = await credits.entries(who.userId, range);
  const older = entries.at(-1)?.previous ?? null;
  return html`${creditsSection(summary, config, freeCredits)}
  ${section("usage-title", "Usage", [
    chart(byDay, nowMs),
    entries.length > 0 && tableOf("Ledger, newest first (UTC)", entries, "", LEDGER),
    older !== null && html`<p><a href="${USAGE_PATH}&amp;from=${older}#usage-title">Older entries</a></p>`,
  ])}`;
}

function creditsSection(
  summary: CreditSummary,
  { creditsNote: note, ...prices }: AccountDeps["config"],
  freeCredits: number,
): Html {
  const { balance, given, granted, charged, unmetered } = summary;
  const left = html`<p class="figure"><strong>${balance}</strong> left</p>
    <p class="soft">
      ${freeCredits > 0 && `Your first API key or connected app comes with ${freeCredits} free credits. So far: `}
      ${given} free credits${granted !== 0 && `, ${granted} added by the operator`}, ${charged} used. All your
      keys and connected apps share them.
    </p>`;
  const ofRequest = (credits: number) => priceText(credits) + (credits === 0 ? "" : " per request");
  return section("credits", "Credits", [
    unmetered ? html`<p class="figure">Unmetered</p>` : left,
    html`<ul>
      <li>Latest fiscal year, list of tickers, company search: free</li>
      <li>History: ${ofRequest(prices.priceHistory)}, any number of years</li>
      <li>
        Rankings and statistics across companies: ${priceText(prices.priceQuestion)} per page or answer, free
        if nothing matches
      </li>
      <li>Errors and unchanged answers (304): free</li>
    </ul>`,
    note !== "" && html`<p class="note" id="more-credits">${note}</p>`,
  ]);
}

/** The last days as a bar chart, with the same data as a table. */
function chart(byDay: readonly { day: string; credits: number }[], nowMs: number): Html {
  const spent = new Map(byDay.map(({ day, credits }) => [day, credits]));
  const days = Array.from({ length: CHART_DAYS }, (_, index) => {
    const day = new Date(nowMs - (CHART_DAYS - 1 - index) * DAY_MS).toISOString().slice(0, 10);
    return { day, count: spent.get(day) ?? 0 };
  });
  const total = days.reduce((sum, { count }) => sum + count, 0);
  if (total === 0) return html`<p class="soft">No credits used in the last ${CHART_DAYS} days.</p>`;
  const title = `Credits used per day (UTC), last ${CHART_DAYS} days: ${total} in total`;
  // A label a week: more would overlap.
  const bars = days.map(({ day, count }, at) => ({
    name: day,
    label: (days.length - 1 - at) % 7 === 0 ? day.slice(5) : "",
    value: count,
  }));
  const used = days.filter(({ count }) => count > 0).toReversed();
  return html`<div class="newest">
      ${figure(barChart({ id: "usage", title, groups: [{ label: "credits a day", bars }] }))}
    </div>
    ${chartData(smallTable(["Day"], ["Credits"], used.map(Object.values<string | number>)))}`;
}
