/** Documents without a Summary Compensation Table, each with a table that looks like one: nothing must be read. */
import {
  amounts,
  headers,
  money,
  nameOf,
  others,
  rowsOf,
  scaled,
  table,
  tr,
  type Filing,
  type Made,
} from "./filing.ts";

const nothing = (body: string): Made => ({ body, people: [] });
const under = (words: string, ...rows: string[]): string => `<p><b>${words}</b></p>\n${table(...rows)}`;

/** Pay of directors, who have salaries and stock too. */
export function directorsAlone(filing: Filing): Made {
  const { r } = filing;
  const fees = r.pick(["Fees Earned or Paid in Cash ($)", "Salary ($)", "Fees ($)"]);
  const head = headers(filing)
    .map((text) => (text.startsWith("Salary") ? fees : text))
    .with(0, r.pick(["Name", "Director", "Name of Director"]));
  const people = filing.people.map((person) => ({
    ...person,
    title: r.pick(["Director", "", "Chair of the Audit Committee"]),
  }));
  const rows = people.flatMap((person) => rowsOf({ ...filing, people }, person).map((row) => tr(row)));
  const words = r.pick([
    "Director Compensation",
    "Compensation of Directors",
    `${filing.newest} Director Compensation Table`,
    "Non-Employee Director Compensation",
  ]);
  return nothing(under(words, tr(head, "th"), ...rows));
}

/** Item 402(v): totals of the Summary Compensation Table by year. */
export function payVersusPerformanceAlone(filing: Filing): Made {
  const [ceo] = filing.people;
  const head = [
    "Year",
    "Summary Compensation Table Total for PEO ($)",
    "Compensation Actually Paid to PEO ($)",
    "Average Summary Compensation Table Total for Non-PEO NEOs ($)",
    "Total Shareholder Return ($)",
    "Net Income ($)",
  ];
  const rows = (ceo?.years ?? []).map((year) =>
    tr([
      String(year.year),
      money(year.total),
      money(scaled(year.total, 1.1)),
      money(scaled(year.total, 0.4)),
      "134.20",
      "88,000,000",
    ]),
  );
  return nothing(under("Pay Versus Performance", tr(head, "th"), ...rows));
}

/** From the total of the Summary Compensation Table to compensation actually paid, by name and year. */
export function actuallyPaidReconciliation(filing: Filing): Made {
  const head = [
    "Name",
    "Year",
    "Summary Compensation Table Total ($)",
    "Less Stock Awards ($)",
    "Less Option Awards ($)",
    "Salary and Bonus ($)",
    "Total Compensation Actually Paid ($)",
  ];
  const rows = filing.people.flatMap((person) =>
    person.years.map((year) =>
      tr([
        nameOf(person),
        String(year.year),
        money(year.total),
        money(year.amounts.stock_awards),
        money(year.amounts.option_awards),
        money(year.amounts.salary),
        money(scaled(year.total, 1.2)),
      ]),
    ),
  );
  return nothing(
    under(
      filing.r.pick([
        "Reconciliation of Summary Compensation Table Total to Compensation Actually Paid",
        "Adjustments to Determine Compensation Actually Paid",
      ]),
      tr(head, "th"),
      ...rows,
    ),
  );
}

/** What officers would receive on leaving, in the columns of pay. */
export function terminationAlone(filing: Filing): Made {
  const head = [
    "Name",
    "Triggering Event",
    "Salary ($)",
    "Bonus ($)",
    "Stock Awards ($)",
    "All Other Compensation ($)",
    "Total ($)",
  ];
  const rows = filing.people.flatMap((person) =>
    ["Termination Without Cause", "Change in Control", "Death or Disability"].map((event, at) =>
      tr([
        at === 0 ? `${nameOf(person)}<br>${person.title}` : "",
        event,
        "450,000",
        "200,000",
        "1,000,000",
        "20,000",
        "1,670,000",
      ]),
    ),
  );
  const words = filing.r.pick([
    `Potential Payments Upon Termination at December 31, ${filing.newest}`,
    `Fiscal ${filing.newest} Severance Payments`,
    `Payments as of Fiscal Year End ${filing.newest}`,
  ]);
  return nothing(under(words, tr(head, "th"), ...rows));
}

/** What other companies pay their chief executives. */
export function peersAlone(filing: Filing): Made {
  const names = ["Acme Gas Company", "Lakeside Corporation", "Borealis Inc.", "Halcyon Ltd."];
  const rows = names.flatMap(
    (name) =>
      filing.people[0]?.years.map((year) => tr([name, String(year.year), ...amounts(filing, year)])) ?? [],
  );
  return nothing(
    under("CEO Compensation at Our Peer Companies", tr(headers(filing).with(0, "Company"), "th"), ...rows),
  );
}

/** Salaries and targets that contracts promise for coming years. */
export function contractsAlone(filing: Filing): Made {
  const rows = filing.people.flatMap((person) =>
    [1, 2, 3].map((more) =>
      tr([
        `${nameOf(person)}<br>${person.title}`,
        String(filing.newest + more),
        "500,000",
        "250,000",
        "750,000",
      ]),
    ),
  );
  const head = ["Name", "Year", "Base Salary ($)", "Target Bonus ($)", "Total ($)"];
  return nothing(
    under(
      filing.r.pick([
        "Compensation Under Employment Agreements",
        "Target Total Direct Compensation",
        "Compensation to Be Paid After the Offering",
      ]),
      tr(head, "th"),
      ...rows,
    ),
  );
}

/** The supplementary table of all other compensation. */
export function otherCompensationAlone(filing: Filing): Made {
  const head = [
    "Name",
    "Year",
    "Perquisites ($)",
    "401(k) Match ($)",
    "Insurance ($)",
    "Salary Continuation ($)",
    "Total ($)",
  ];
  const rows = filing.people.flatMap((person) =>
    person.years.map((year) =>
      tr([nameOf(person), String(year.year), "10,000", "9,150", "1,200", "5,000", "25,350"]),
    ),
  );
  return nothing(under("All Other Compensation", tr(head, "th"), ...rows));
}

/** Realized pay, in the columns of the rule. */
export function realizedAlone(filing: Filing): Made {
  const rows = filing.people.flatMap((person) => rowsOf(filing, person).map((row) => tr(row)));
  const words = filing.r.pick([
    "Realized Pay Table",
    `${filing.newest} Realized Pay`,
    "Total Realized Compensation",
    "Supplemental Table of Realized Compensation",
    "Pro Forma Compensation",
    "Target Compensation",
  ]);
  return nothing(under(words, tr(headers(filing), "th"), ...rows));
}

/** Only officers of a subsidiary. */
export function subsidiaryAlone(filing: Filing): Made {
  const theirs = others(filing, 21);
  const rows = theirs.people.flatMap((person) => rowsOf(theirs, person).map((row) => tr(row)));
  const words = filing.r.pick([
    "Compensation of Officers of Our Subsidiary",
    "Subsidiary Officer Compensation",
    "The persons below are officers of our subsidiaries and not executive officers of the Company.",
  ]);
  return nothing(under(words, tr(headers(filing), "th"), ...rows));
}

/** Consultants. */
export function consultantsAlone(filing: Filing): Made {
  const people = others(filing, 22).people.map((person) => ({ ...person, title: "Consultant" }));
  const theirs = { ...filing, people };
  const rows = people.flatMap((person) => rowsOf(theirs, person).map((row) => tr(row)));
  return nothing(
    under(
      filing.r.pick(["Consulting Fees", "Compensation of Consultants", "Payments to Advisors"]),
      tr(headers(filing), "th"),
      ...rows,
    ),
  );
}

/** Department budgets. */
export function departmentsAlone(filing: Filing): Made {
  const rows = ["Research", "Sales", "Administration"].flatMap(
    (name) =>
      filing.people[0]?.years.map((year) => tr([name, String(year.year), ...amounts(filing, year)])) ?? [],
  );
  return nothing(
    under(
      filing.r.pick(["Stock-Based Compensation Expense", "Compensation Expense by Department"]),
      tr(headers(filing).with(0, "Department"), "th"),
      ...rows,
    ),
  );
}
