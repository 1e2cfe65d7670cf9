import type { Credits, CreditSummary, LedgerEntry } from "../../accounts/credits.ts";
import { barChart } from "../../charts/bars.ts";
import { figure } from "../../charts/frame.ts";
import { type Html, html } from "../../html.ts";
import { chartData, smallTable } from "../pages/parts.ts";
import type { Person } from "../../http/session-cookies.ts";
import { ROUTES } from "../../http/routes.ts";
import { credits as count, LEDGER_HEADS, ledgerCells, tableOf } from "../account-tables.ts";
import type { Visit } from "../forms.ts";

/** Days that the chart shows. */
const CHART_DAYS = 30;

const DAY_MS = 86_400_000;

/** Ledger entries on one page. */
const ENTRIES = 20;

/** Credit prices from the configuration. */
export interface Prices {
  priceTickers: number;
  priceLatest: number;
  priceHistory: number;
  priceQuery: number;
  priceStatistics: number;
  priceCompanies: number;
}

/** The remaining credits, shown above every tab. */
export function balanceLine({ balance, unmetered }: CreditSummary): Html {
  return unmetered
    ? html`<p class="soft">Unmetered: your requests cost no credits.</p>`
    : html`<p class="soft">
        <strong id="balance">${balance}</strong> ${balance === 1 ? "credit" : "credits"} left
      </p>`;
}

/** Balance, prices, how to get more credits, and what they were used for. @param freeCredits as in `DeveloperDeps` */
export async function usageTab(
  deps: { credits: Credits; prices: Prices; creditsNote: string },
  { who, url, nowMs }: Visit<Person>,
  summary: CreditSummary,
  freeCredits: number,
): Promise<Html> {
  const from = Number(url.searchParams.get("from") ?? Number.NaN);
  const range = { limit: ENTRIES, ...(Number.isInteger(from) ? { from } : {}) };
  const byDay = await deps.credits.chargedByDay(who.userId, nowMs - CHART_DAYS * DAY_MS);
  return html`${creditsSection(summary, deps.prices, { note: deps.creditsNote, freeCredits })}
  ${usageSection(byDay, await deps.credits.entries(who.userId, range), nowMs)}`;
}

function creditsSection(
  summary: CreditSummary,
  prices: Prices,
  { note, freeCredits }: { note: string; freeCredits: number },
): Html {
  const { balance, given, granted, charged, unmetered } = summary;
  return html`<section aria-labelledby="credits">
    <h2 id="credits">Credits</h2>
    ${
      unmetered
        ? html`<p class="figure">Unmetered</p>`
        : html`<p class="figure"><strong>${balance}</strong> left</p>
            <p class="soft">
              ${freeCredits > 0 && `Your first API key or connected app comes with ${freeCredits} free credits. So far: `}
              ${given} free credits${granted !== 0 && `, ${granted} added by the operator`}, ${charged} used.
              All your keys and connected apps share them.
            </p>`
    }
    <ul>
      <li>Latest fiscal year: ${price(prices.priceLatest)}</li>
      <li>History: ${priceOfRequest(prices.priceHistory)}, any number of years</li>
      <li>Rows across companies: ${price(prices.priceQuery)} per page, free without rows</li>
      <li>Statistics across companies: ${priceOfRequest(prices.priceStatistics)}, free without rows</li>
      <li>List of tickers: ${price(prices.priceTickers)}; company search: ${price(prices.priceCompanies)}</li>
      <li>Errors and unchanged answers (304): free</li>
    </ul>
    ${note !== "" && html`<p class="note" id="more-credits">${note}</p>`}
  </section>`;
}

function price(credits: number): string {
  return credits === 0 ? "free" : count(credits);
}

function priceOfRequest(credits: number): string {
  return credits === 0 ? "free" : `${price(credits)} per request`;
}

/** The chart of the last 30 days and the latest ledger entries. */
function usageSection(
  byDay: readonly { day: string; credits: number; charges: number }[],
  entries: readonly LedgerEntry[],
  nowMs: number,
): Html {
  const older = entries.at(-1)?.previous ?? null;
  return html`<section aria-labelledby="usage-title">
    <h2 id="usage-title">Usage</h2>
    ${chart(byDay, nowMs)}
    ${entries.length > 0 && tableOf("Ledger, newest first (UTC)", LEDGER_HEADS, entries.map(ledgerCells), "")}
    ${older !== null && html`<p><a href="${ROUTES.developer.path}?tab=usage&amp;from=${older}#usage-title">Older entries</a></p>`}
  </section>`;
}

/** The last days as a bar chart, with the same data as a table. */
function chart(byDay: readonly { day: string; credits: number }[], nowMs: number): Html {
  const spent = new Map(byDay.map(({ day, credits }) => [day, credits]));
  const days = Array.from({ length: CHART_DAYS }, (_, index) => {
    const day = new Date(nowMs - (CHART_DAYS - 1 - index) * DAY_MS).toISOString().slice(0, 10);
    return { day, count: spent.get(day) ?? 0 };
  });
  const total = days.reduce((sum, { count }) => sum + count, 0);
  if (total === 0) {
    return html`<p class="soft">No credits used in the last ${CHART_DAYS} days.</p>`;
  }
  const title = `Credits used per day (UTC), last ${CHART_DAYS} days: ${total} in total`;
  const used = days.filter(({ count }) => count > 0).toReversed();
  // A label a week: more would overlap.
  const bars = days.map(({ day, count }, at) => ({
    name: day,
    label: (days.length - 1 - at) % 7 === 0 ? day.slice(5) : "",
    value: count,
  }));
  const lines = used.map(({ day, count }) => [day, count]);
  return html`<div class="newest">
      ${figure(barChart({ id: "usage", title, groups: [{ label: "credits a day", bars }] }))}
    </div>
    ${chartData(smallTable(["Day"], ["Credits"], lines))}`;
}
