import type { Period } from "./fiscal-periods.ts";
import type { DatedSpan } from "./terms.ts";

/** What a title says of an office. */
export interface Bearing {
  bears: boolean;
  /** As a former one. */
  over: boolean;
  /** As an interim one: an end alone says nothing of the years before. */
  brief: boolean;
}

/** A span that has both ends, or one in the year, and covers the year at least in part. */
function covers(span: DatedSpan, period: Period): boolean {
  if (span.start !== null && span.start > period.end) return false;
  if (span.end !== null && span.end < period.start) return false;
  return span.start !== null ? span.end !== null || span.start <= period.end : true;
}

/** What dates say of one person, one office and one year. */
export interface Overlap {
  held: boolean;
  /** Both ends of the time are given, or the given one lies within the year. */
  exact: boolean;
  text: string;
}

/** What the dated spans say of one year; undefined when they leave it open. */
export function overlap(
  spans: readonly DatedSpan[],
  period: Period,
  { bears, over, brief }: Bearing,
): Overlap | undefined {
  const current = bears && !over;
  const yes = (span: DatedSpan, exact = true): Overlap => ({ held: true, exact, text: span.text });
  const no = (span: DatedSpan): Overlap => ({ held: false, exact: true, text: span.text });
  const whole = spans.find((span) => span.start !== null && span.end !== null && covers(span, period));
  if (whole !== undefined) return yes(whole);
  const starts = spans.filter((span) => span.start !== null && span.end === null).toSorted(byStart);
  const ends = spans
    .filter((span) => span.end !== null)
    .toSorted((left, right) => ((left.end ?? "") < (right.end ?? "") ? -1 : 1));
  const later = ends.findLast(
    (span) =>
      span.start === null &&
      (span.end ?? "") >= period.start &&
      !(brief && (span.endFrom ?? "") > period.end),
  );
  // The last end before the year closes every start before it.
  const ended = ends.findLast((span) => (span.end ?? "") < period.start);
  const begun = starts.filter((span) => (span.start ?? "") <= period.end);
  const began = begun.find((span) => ended === undefined || follows(span, ended));
  if (began !== undefined) {
    if (current || began.lasts || later !== undefined || (began.start ?? "") >= period.start)
      return yes(began);
    return undefined;
  }
  // A title that still names the office must be a former one, or the dated end is that of another time.
  if (ended !== undefined && !current) return no(ended);
  // A time with both ends denies the years before it too, where no other start is given.
  const first = starts[0] ?? spans.filter((span) => span.start !== null).toSorted(byStart)[0];
  if (
    first !== undefined &&
    begun.length === 0 &&
    (first.start ?? "") > period.end &&
    (later === undefined || (later.end ?? "") >= (first.start ?? ""))
  )
    return no(first);
  return later === undefined ? undefined : yes(later, (later.end ?? "") <= period.end);
}

function byStart(left: DatedSpan, right: DatedSpan): number {
  return (left.start ?? "") < (right.start ?? "") ? -1 : 1;
}

/** Whether a time in office begins after another one, or goes on from it under a new title. */
function follows(span: DatedSpan, ended: DatedSpan): boolean {
  const start = span.start ?? "";
  return ended.start === null ? start >= (ended.endFrom ?? "") : start > ended.start;
}
