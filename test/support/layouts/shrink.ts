import { CHOICES, settle, type Choices, type Plan } from "./plan.ts";

/** Reduces a failing plan while it still fails: fewer traps, people, years and decoys. At most `tries` runs. */
export function shrink(plan: Plan, fails: (plan: Plan) => boolean, tries = 400): Plan {
  let best = plan;
  let left = tries;
  for (let progress = true; progress && left > 0;) {
    progress = false;
    for (const smaller of candidates(best)) {
      if (left-- <= 0) break;
      if (!fails(smaller)) continue;
      best = smaller;
      progress = true;
      break;
    }
  }
  return best;
}

function* candidates(plan: Plan): Generator<Plan> {
  if (plan.before.length > 0) yield { ...plan, before: [] };
  if (plan.after.length > 0) yield { ...plan, after: [] };
  for (const at of plan.before.keys()) yield { ...plan, before: plan.before.filter((_, i) => i !== at) };
  for (const at of plan.after.keys()) yield { ...plan, after: plan.after.filter((_, i) => i !== at) };
  // The keys of CHOICES are the keys of Choices.
  for (const key of Object.keys(CHOICES) as (keyof Choices)[]) {
    // Amounts were drawn for their unit: a table in thousands stays one.
    if (key === "thousands" || key === "cents" || plan.choices[key] === CHOICES[key][0]) continue;
    const next = settle({ ...plan, choices: { ...plan.choices, [key]: CHOICES[key][0] } });
    if (next.choices[key] !== plan.choices[key]) yield next;
  }
  if (plan.markup !== "plain") yield { ...plan, markup: "plain" };
  const { people } = plan.truth;
  const withPeople = (list: typeof people): Plan => ({ ...plan, truth: { ...plan.truth, people: list } });
  for (const [at, person] of people.entries())
    // Without the principal officers a title such as "Treasurer" or "CEO, North America" could mean another office.
    if (!person.isPeo && !person.isPfo) yield withPeople(people.filter((_, i) => i !== at));
  for (const [at, person] of people.entries())
    for (const y of person.years.length > 1 ? person.years.keys() : [])
      yield withPeople(
        people.map((p, i) => (i === at ? { ...p, years: p.years.filter((_, j) => j !== y) } : p)),
      );
}
