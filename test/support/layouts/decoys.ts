import { printedName } from "./names.ts";
import type { Decoy, Plan } from "./plan.ts";
import { random, type Random } from "./random.ts";
import { escaped } from "./markup.ts";

/** Writes a table or list near the real one that may be mistaken for it. */
export function renderDecoy(plan: Plan, decoy: Decoy): string {
  const r = random(plan.seed ^ (decoy.length * 7919));
  const names = plan.truth.people.map((person) => printedName(person, plan.choices.people));
  const years = [plan.truth.newest, plan.truth.newest - 1, plan.truth.newest - 2];
  const money = (top = 5_000_000) => r.int(1_000, top).toLocaleString("en-US");
  const table = (rows: readonly (readonly string[])[]) => grid(plan, rows, r);
  const heading = (text: string) => `<p><b>${escaped(text, plan.choices.characters)}</b></p>\n`;
  switch (decoy) {
    case "contents":
      return (
        heading("Table of Contents") +
        table([
          ["Proposal One: Election of Directors", "4"],
          ["Executive Compensation", "31"],
          ["Summary Compensation Table", "47"],
          ["Grants of Plan-Based Awards", "49"],
          ["Pay Versus Performance", "60"],
        ])
      );
    case "pay-versus-performance":
      return (
        heading("Pay Versus Performance") +
        table([
          [
            "Year",
            "Summary Compensation Table Total for PEO ($)",
            "Compensation Actually Paid to PEO ($)",
            "Average Summary Compensation Table Total for Non-PEO NEOs ($)",
            "Total Shareholder Return ($)",
            "Net Income ($)",
          ],
          ...years.map((year) => [
            String(year),
            money(),
            money(),
            money(),
            String(r.int(60, 240)),
            money(900_000_000),
          ]),
        ])
      );
    case "directors":
      return (
        heading("Director Compensation") +
        table([
          [
            "Name",
            "Fees Earned or Paid in Cash ($)",
            "Stock Awards ($)",
            "Option Awards ($)",
            "All Other Compensation ($)",
            "Total ($)",
          ],
          ...["Harriet Moss", "Ivan Petrov", "Lucia Bianchi"].map((name) => {
            const fees = r.int(40_000, 120_000);
            const stock = r.int(90_000, 200_000);
            return [
              name,
              fees.toLocaleString("en-US"),
              stock.toLocaleString("en-US"),
              "—",
              "—",
              (fees + stock).toLocaleString("en-US"),
            ];
          }),
        ])
      );
    case "grants":
      return (
        heading(`Grants of Plan-Based Awards in Fiscal ${plan.truth.newest}`) +
        table([
          [
            "Name",
            "Grant Date",
            "Threshold ($)",
            "Target ($)",
            "Maximum ($)",
            "All Other Stock Awards: Number of Shares (#)",
            "Grant Date Fair Value of Stock and Option Awards ($)",
          ],
          ...names.flatMap((name) => [
            [
              name,
              `2/${r.int(1, 28)}/${plan.truth.newest}`,
              money(),
              money(),
              money(),
              money(90_000),
              money(),
            ],
            ["", `5/${r.int(1, 28)}/${plan.truth.newest}`, "", "", "", money(90_000), money()],
          ]),
        ])
      );
    case "outstanding":
      return (
        heading("Outstanding Equity Awards at Fiscal Year-End") +
        table([
          [
            "Name",
            "Number of Securities Underlying Unexercised Options Exercisable (#)",
            "Option Exercise Price ($)",
            "Option Expiration Date",
            "Number of Shares That Have Not Vested (#)",
            "Market Value ($)",
          ],
          ...names.map((name) => [
            name,
            money(90_000),
            `${r.int(2, 90)}.${r.int(10, 99)}`,
            `3/1/${plan.truth.newest + 7}`,
            money(90_000),
            money(),
          ]),
        ])
      );
    case "realized":
      return (
        heading("Supplemental Table: Realized Pay (not a substitute for the Summary Compensation Table)") +
        table([
          [
            "Name",
            "Year",
            "Salary ($)",
            "Annual Incentive Paid ($)",
            "Value Realized on Exercise of Options ($)",
            "Value Realized on Vesting of Stock ($)",
            "Total Realized Pay ($)",
          ],
          ...names.flatMap((name) =>
            years
              .slice(0, 2)
              .map((year, at) => [
                at === 0 ? name : "",
                String(year),
                money(),
                money(),
                money(),
                money(),
                money(20_000_000),
              ]),
          ),
        ])
      );
    case "committee-view":
      return (
        heading("How the Committee Views Target Pay") +
        table([
          [
            "Executive",
            "Year",
            "Base Salary Rate ($)",
            "Target Annual Incentive ($)",
            "Long-Term Incentive Target Value ($)",
            "Target Total Direct Compensation ($)",
          ],
          ...names.flatMap((name) =>
            years
              .slice(0, 2)
              .map((year) => [name, String(year), money(), money(), money(), money(20_000_000)]),
          ),
        ])
      );
    case "other-breakdown":
      return (
        heading("All Other Compensation") +
        table([
          [
            "Name",
            "Year",
            "401(k) Match ($)",
            "Life Insurance ($)",
            "Perquisites ($)",
            "Severance ($)",
            "Total ($)",
          ],
          ...names.flatMap((name) =>
            years
              .slice(0, 2)
              .map((year, at) => [
                at === 0 ? name : "",
                String(year),
                money(20_000),
                money(9_000),
                money(90_000),
                "—",
                money(120_000),
              ]),
          ),
        ])
      );
    case "potential-payments":
      return (
        heading("Potential Payments upon Termination or Change in Control") +
        table([
          [
            "Name",
            "Benefit",
            "Termination Without Cause ($)",
            "Change in Control ($)",
            "Death or Disability ($)",
          ],
          ...names.flatMap((name) => [
            [name, "Salary and bonus", money(), money(), money()],
            ["", "Stock awards", money(), money(), money()],
            ["", "Total", money(), money(), money()],
          ]),
        ])
      );
    case "pension-benefits":
      return (
        heading("Pension Benefits") +
        table([
          [
            "Name",
            "Plan Name",
            "Number of Years Credited Service (#)",
            "Present Value of Accumulated Benefit ($)",
            "Payments During Last Fiscal Year ($)",
          ],
          ...names.map((name) => [name, "Retirement Plan", String(r.int(1, 30)), money(), "—"]),
        ])
      );
    case "financials":
      return (
        heading("Selected Financial Data") +
        table([
          ["", ...years.map(String)],
          ["Revenue", ...years.map(() => money(900_000_000))],
          ["Salaries and bonus", ...years.map(() => money())],
          ["Stock-based compensation", ...years.map(() => money())],
          ["Total expenses", ...years.map(() => money(900_000_000))],
        ])
      );
  }
}

/** A simple grid in the markup that the plan's house uses for its other tables. */
function grid(plan: Plan, rows: readonly (readonly string[])[], r: Random): string {
  const write = (text: string) => (text === "" ? "&nbsp;" : escaped(text, plan.choices.characters));
  const spaced = plan.choices.spacers;
  const body = rows.map((row, at) => {
    const cells = row.map(
      (text, column) =>
        `<td style="vertical-align:bottom${column > 0 ? ";text-align:right" : ""}">${at === 0 ? `<b>${write(text)}</b>` : write(text)}</td>`,
    );
    return `<tr>${cells.join(spaced ? `<td>&nbsp;</td>` : "")}</tr>`;
  });
  return `<table cellpadding="0" cellspacing="0" style="width:${r.int(80, 100)}%">\n${body.join("\n")}\n</table>\n`;
}
