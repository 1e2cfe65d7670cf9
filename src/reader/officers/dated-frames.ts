/** Generates the pattern of every frame with its date in every position. */
import { AT, FROM, OFFICER_FRAMES, TO, WHEN, WHO, type FrameMeaning } from "../lexicon/officer-frames.ts";

/** A frame in one order, for searching a sentence with placeholders. */
interface DatedFrame {
  /** The frame's source and the position of its date. */
  readonly rule: string;
  readonly pattern: RegExp;
}

/** A date before the event is the event's own only if no other date follows it. */
const NO_DATE_BEHIND = "(?![^⟦⟨]{0,20}(?:effective|since|from|on|in)\\s+‹)";
const UNTIL = "(?:until|through|till|ending(?: on)?)";
const SINCE = "(?:since|beginning|starting|commencing|effective(?: as of| on)?|as of|from(?! time))";
const HIS_EVENT =
  "(?:his|her|their)\\s+(?:promotion|appointment|election|retirement|resignation|departure|death|passing)\\b[^⟦‹]{0,60}?";

type Order = (frame: string) => string;

const ORDERS: Readonly<Record<FrameMeaning, Readonly<Record<string, Order>>>> = {
  "takes office": {
    "date behind": (frame) =>
      `${frame}(?:(?:\\s+role|\\s+on an interim basis)?,?\\s+(?:alongside|together with|succeeding|replacing|from|upon|following|after)\\s+⟦(?:\\d+|\\?)⟧)?[^⟦⟨‹]{0,60}?\\b${AT}\\s+[^⟦⟨‹]{0,30}${FROM}`,
    "date in front": (frame) =>
      `\\b${AT}\\s+${FROM},?(?:\\s+(?:upon|following|after)\\s+⟦(?:\\d+|\\?)⟧[^⟦‹]{0,80},)?[^⟦⟨‹]{0,80}${frame}${NO_DATE_BEHIND}`,
    // Effective D, A became chair and B became O
    "date in front of two": (frame) =>
      `^[^⟦⟨‹]{0,12}\\b(?:effective|on|as of)\\b[^⟦⟨‹]{0,12}${FROM}.{0,320}?,?\\s+and\\s+${frame}${NO_DATE_BEHIND}`,
    // A was X until D, when A became O
    "date, when": (frame) => `${FROM}${WHEN}\\s+${frame}${NO_DATE_BEHIND}`,
  },
  "leaves office": {
    "date behind": (frame) => `${frame}[^⟦⟨‹]{0,110}?\\b${AT}\\s+[^⟦⟨‹]{0,40}${TO}`,
    "date, when": (frame) => `${TO}${WHEN}\\s+${frame}`,
    "date in front": (frame) => `(?<!⟩[^.;]{0,160})\\b${AT}\\s+${TO},?[^⟦⟨‹]{0,60}${frame}`,
  },
  served: {
    "from and to": (frame) =>
      `${frame}[^⟦⟨‹]{0,80}?\\b(?:from|between)\\s+[^⟦⟨‹]{0,20}${FROM}[^⟦⟨‹]{0,30}?\\b(?:to|until|through|and|till)\\s+[^⟦⟨‹]{0,30}${TO}`,
    // and from D until D: the second of two terms
    "from and to again": (frame) =>
      `${frame}[^⟦⟨‹]{0,80}?\\bfrom\\s+‹\\d+›[^⟦⟨‹]{0,30}‹\\d+›,?\\s+and\\s+(?:again\\s+)?from\\s+${FROM}[^⟦⟨‹]{0,30}?\\b(?:to|until|through|till)\\s+${TO}`,
    // for 2018 and through D; until his retirement on D
    until: (frame) =>
      `${frame}(?:\\s+(?:for|in|during)\\s+‹\\d+›\\s+and\\s|[^⟦⟨‹]{0,90}?\\b)${UNTIL}\\s+(?!the end)(?:⟦\\d+⟧\\s|${HIS_EVENT})?[^⟦⟨‹]{0,60}?${TO}`,
  },
  "has served since": {
    since: (frame) =>
      `${frame}(?:(?!⟦|⟨|‹|in addition to|, which ).){0,60}?\\b${SINCE}\\s+[^⟦⟨‹]{0,30}${FROM}(?!\\s*,?\\s*(?:and\\s+)?(?:to|until|through|till)\\b)`,
    "since in front": (frame) =>
      `\\b(?:since|from|beginning|starting|commencing)\\s+(?:in\\s+|on\\s+)?${FROM}(?!,?\\s*(?:prior to|before|after|until|having)\\b),?[^⟦⟨‹]{0,40}${frame}`,
    "since inside": (frame) => frame.replace(WHO, `${WHO},?\\s+since\\s+${FROM},?`),
    "from and to in front": (frame) =>
      `\\bfrom\\s+${FROM}\\s*(?:to|until|through|till)\\s+${TO},?\\s*${frame}`,
  },
  dated: { "its own date": (frame) => frame },
};

/** Every frame in every order. All are tried on every sentence; one sentence can yield several terms. */
export const DATED_FRAMES: readonly DatedFrame[] = OFFICER_FRAMES.entries.flatMap(
  ({ means, pattern, source }) =>
    Object.entries(ORDERS[means]).map(([order, make]) => ({
      rule: `${source} (${order})`,
      pattern: new RegExp(make(pattern.source), "gi"),
    })),
);
