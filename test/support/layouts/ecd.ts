import { servedName } from "./names.ts";
import type { Plan } from "./plan.ts";

/** The pay-versus-performance disclosure as tagged inline XBRL, with figures that agree with the table, or a wrong tag. */
export function renderTagged(plan: Plan): { hidden: string; table: string } {
  const { truth, choices } = plan;
  if (choices.ecd === "none") return { hidden: "", table: "" };
  const peo = truth.people.find((person) => person.isPeo);
  const years = (peo?.years ?? []).filter((year) => year.total !== null);
  if (peo === undefined || years.length === 0) return { hidden: "", table: "" };
  const contexts = years.map(
    ({ year }) =>
      `<xbrli:context id="p-${year}"><xbrli:entity><xbrli:identifier scheme="http://www.sec.gov/CIK">0009999999</xbrli:identifier></xbrli:entity><xbrli:period><xbrli:startDate>${year}-01-01</xbrli:startDate><xbrli:endDate>${year}-12-31</xbrli:endDate></xbrli:period></xbrli:context>`,
  );
  const hidden = `<div style="display:none"><ix:header><ix:resources><xbrli:unit id="usd"><xbrli:measure>iso4217:USD</xbrli:measure></xbrli:unit>${contexts.join("")}</ix:resources></ix:header></div>`;
  const tag = (name: string, year: number, cents: number) =>
    `<ix:nonFraction unitRef="usd" contextRef="p-${year}" decimals="0" name="ecd:${name}" format="ixt:num-dot-decimal" scale="0" id="f-${name}-${year}">${Math.round(cents / 100).toLocaleString("en-US")}</ix:nonFraction>`;
  const rows = years.map(({ year, total }, at) => {
    const wrong = choices.ecd === "wrong" && at === 0 ? 1_234_500 : 0;
    const others = truth.people
      .filter((person) => !person.isPeo)
      .flatMap((person) =>
        person.years.filter((y) => y.year === year && y.total !== null).map((y) => y.total ?? 0),
      );
    const average =
      others.length === 0
        ? "—"
        : tag("NonPeoNeoAvgTotalCompAmt", year, others.reduce((a, b) => a + b, 0) / others.length);
    return `<tr><td>${year}</td><td>${tag("PeoTotalCompAmt", year, (total ?? 0) + wrong)}</td><td>${average}</td><td>${80 + at}</td></tr>`;
  });
  const newest = years[0]?.year ?? truth.newest;
  const table = `<p><b>Pay Versus Performance</b></p>
<table><tr><td>Year</td><td>Summary Compensation Table Total for PEO ($)</td><td>Average Summary Compensation Table Total for Non-PEO NEOs ($)</td><td>Total Shareholder Return ($)</td></tr>
${rows.join("\n")}
</table>
<p>Our PEO was <ix:nonNumeric contextRef="p-${newest}" name="ecd:PeoName" id="f-name">${servedName(peo, "plain")}</ix:nonNumeric>.</p>`;
  return { hidden, table };
}
