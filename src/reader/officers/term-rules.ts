const START =
  "(?:appoint(?:ed|ing|ment)|nam(?:ed|ing)|elect(?:ed|ion)|promot(?:ed|ion)|bec(?:ame|ome|oming)|assum(?:ed|es|ing)|began|begin(?:ning)?|commenced|joined|hired|designated|transition(?:ed|ing)?(?: in)?to|took over|start(?:ed|ing)|succeeded to|ascended|moved into)";
const SERVE =
  "(?:serv(?:ed|es|ing)|act(?:ed|s|ing)|has been|have been|was|held|position|role|remained|continued)";
const LEAVE =
  "(?:ceased|step(?:ped|ping)? down|resign(?:ed|ing)|retir(?:ed|ing)|departed|left|terminated|transition(?:ed|ing)? from|removed|relinquish(?:ed|ing)|separated|concluded|no longer|(?:his|her|their) (?:departure|resignation|retirement|termination|separation|transition))";
const SINCE = "(?:since|beginning|starting|commencing|effective(?: as of| on)?|as of|from(?! time))";
const AT = "(?:effective(?: as of| on)?|since|on|in|as of|beginning|starting|commencing|from|during)";

/** Any character but a person, a date or the end of an office. */
const ON = `(?:(?!⟦|‹|\\b${LEAVE}\\b|\\bformer\\b|\\bprevious).)`;

/** Any character but another person or the end of an office. */
const CLAUSE = `(?:(?!⟦|\\b${LEAVE}\\b|\\bformer\\b|\\bprevious).)`;

/** What shows that the office left is not the one named behind it. */
const ELSE =
  "\\bas (?:a |an independent )?(?:director|member)|\\bto (?!be\\b|serve\\b|act\\b|hold\\b)|\\bbecause\\b|\\b(?:appointed|named|elected|promoted|become)\\b";

/** What leads to somebody else's office: `appointed Treasurer by our CEO`. */
const ASIDE =
  ", our ⟨|, the Company|\\bto (?:the|our) Board|\\bin addition to\\b|\\beligible\\b|\\b(?:by|under|report\\w*|assist\\w*|advis\\w*|than)\\b";

/** `promoted from CFO …`: the office behind `from` is the one left, unless it is only named behind `to`. */
const OTHER = "\\bfrom\\b(?![^⟦⟨‹]{0,80}\\bto\\b)";

const D = "‹(\\d+)›";
const P = "(?<!\\b(?:successor (?:to|of)|succe\\w+|replac\\w+) )⟦(\\d+|\\?)⟧";
/** Somebody who may stand behind `succeeded`. */
const WHOM = "⟦(\\d+|\\?)⟧";
const O = "⟨([PF])⟩";
/** Not followed by an end. */
const OPEN = "(?!\\s*,?\\s*(?:and\\s+)?(?:to|until|through|till)\\b)";
const WHEN = ",?\\s*(?:when|at which (?:time|point)|(?:up)?on which(?: date)?|the date (?:on which|that)?)";

/** A way to date an office, over a sentence in which people are `⟦0⟧`, offices `⟨P⟩` or `⟨F⟩` and dates `‹0›`. */
interface Rule {
  pattern: RegExp;
  read(match: RegExpMatchArray): {
    person: string | undefined;
    office: string | undefined;
    start?: string | undefined;
    end?: string | undefined;
  }[];
}

/** Each is tried on every sentence; one sentence can say several things. */
export const RULES: readonly Rule[] = [
  // A succeeded B as O effective D
  rule(
    `${P}[^⟦⟨‹]{0,80}\\b(?:succeed(?:ed|s|ing)?|replac(?:ed|es|ing))\\s+${WHOM}[^⟦‹]{0,90}?${O}[^⟦⟨]{0,60}?${D}`,
    (m) => [
      { person: m[1], office: m[3], start: m[4] },
      { person: m[2], office: m[3], end: m[4] },
    ],
  ),
  rule(
    `${AT}\\s+${D},?[^⟦⟨‹]{0,60}${P}[^⟦⟨‹]{0,60}\\b(?:succeed(?:ed|s|ing)?|replac(?:ed|es|ing))\\s+${WHOM}[^⟦‹]{0,90}?${O}`,
    (m) => [
      { person: m[2], office: m[4], start: m[1] },
      { person: m[3], office: m[4], end: m[1] },
    ],
  ),
  // A served as O from D to D
  rule(
    `${P}(?:(?!⟦).){0,220}?${O}[^⟦⟨‹]{0,80}?\\b(?:from|between)\\s+[^⟦⟨‹]{0,20}${D}[^⟦⟨‹]{0,30}?\\b(?:to|until|through|and|till)\\s+[^⟦⟨‹]{0,30}${D}`,
    (m) => [{ person: m[1], office: m[2], start: m[3], end: m[4] }],
  ),
  // A was O from D to D and from D to D
  rule(
    `${P}(?:(?!⟦).){0,220}?${O}[^⟦⟨‹]{0,80}?\\bfrom\\s+[^⟦⟨‹]{0,20}${D}[^⟦⟨‹]{0,30}?\\b(?:to|until|through)\\s+[^⟦⟨‹]{0,30}${D},?\\s*and\\s+(?:again\\s+)?from\\s+[^⟦⟨‹]{0,20}${D}[^⟦⟨‹]{0,30}?\\b(?:to|until|through)\\s+[^⟦⟨‹]{0,30}${D}`,
    (m) => [{ person: m[1], office: m[2], start: m[5], end: m[6] }],
  ),
  rule(
    `\\bfrom\\s+${D}\\s*(?:to|until|through|till)\\s+${D},?\\s*${P}[^⟦⟨‹]{0,60}${SERVE}[^⟦‹]{0,80}?${O}`,
    (m) => [{ person: m[3], office: m[4], start: m[1], end: m[2] }],
  ),
  // A served as O until D
  rule(
    `${P}(?:(?!⟦).){0,220}?${O}[^⟦⟨‹]{0,90}?\\b(?:until|through|till|ending(?: on)?)\\s+(?:⟦\\d+⟧\\s)?[^⟦⟨‹]{0,60}?${D}`,
    (m) => [{ person: m[1], office: m[2], end: m[3] }],
  ),
  rule(
    `\\b(?:until|through|prior to)\\s+${D}(?!${WHEN}|,?\\s+and\\b),?[^⟦⟨‹]{0,40}${P}[^⟦⟨‹]{0,40}\\b(?:served|acted|was)\\b[^⟦‹]{0,80}?${O}`,
    (m) => [{ person: m[2], office: m[3], end: m[1] }],
  ),
  // A ceased to be O on D
  rule(
    `${P}(?:(?!⟦|⟨).){0,120}?\\b${LEAVE}\\b(?:(?!⟦|⟨|${ELSE}).){0,90}?${O}[^⟦⟨‹]{0,110}?\\b(?:effective|on|in|as of|at|during)\\b[^⟦⟨‹]{0,40}${D}`,
    (m) => [{ person: m[1], office: m[2], end: m[3] }],
  ),
  rule(
    `(?<!⟩[^.;]{0,160})\\b${AT}\\s+${D},?[^⟦⟨‹]{0,60}${P}[^⟦⟨‹]{0,80}\\b${LEAVE}\\b(?:(?!⟦|⟨|${ELSE}).){0,90}?${O}`,
    (m) => [{ person: m[2], office: m[3], end: m[1] }],
  ),
  // A has served as O since D
  rule(
    `${P}${ON}{0,90}?\\b${SERVE}\\b(?:(?!, our ⟨|, the Company)${ON}){0,120}?${O}(?:(?!⟦|⟨|‹|in addition to|, which ).){0,60}?\\b${SINCE}\\s+[^⟦⟨‹]{0,30}${D}${OPEN}`,
    (m) => [{ person: m[1], office: m[2], start: m[3] }],
  ),
  rule(
    `\\b(?:since|beginning|starting|commencing)\\s+(?:in\\s+|on\\s+)?${D}(?!,?\\s*(?:prior to|before|after|until|having)\\b),?[^⟦⟨‹]{0,40}${P}[^⟦⟨‹]{0,60}\\b${SERVE}\\b(?:(?!⟦|‹).){0,120}?${O}`,
    (m) => [{ person: m[2], office: m[3], start: m[1] }],
  ),
  // A since D, is serving as O
  rule(
    `${P},?\\s+since\\s+${D},?[^⟦⟨‹]{0,30}\\b(?:is|has been|was)\\s+(?:serving|acting)\\s+as\\b[^⟦‹]{0,80}?${O}`,
    (m) => [{ person: m[1], office: m[3], start: m[2] }],
  ),
  // A has served as acting O since the departure of the former O in D
  rule(
    `${P}${ON}{0,90}?\\b${SERVE}\\b${ON}{0,120}?${O}[^⟦⟨‹]{0,20}\\bsince\\s+(?:the|his|her)?\\s*(?:departure|resignation|retirement|termination|death|passing)\\b[^‹]{0,90}${D}`,
    (m) => [{ person: m[1], office: m[2], start: m[3] }],
  ),
  // A manages the company's daily operations since O left in D: acting in that office without its title
  rule(
    `${P}[^‹]{0,260}\\bday-to-day\\s+(?:operations|management)\\b[^‹]{0,140}?\\bsince\\b[^‹]{0,140}⟨(P)⟩[^‹]{0,30}${D}`,
    (m) => [{ person: m[1], office: m[2], start: m[3] }],
  ),
  // A was appointed O in D
  rule(
    `${P}(?:(?!⟨)${ON}){0,100}?\\b${START}\\b(?:(?!${ASIDE}|${OTHER})${ON}){0,130}?${O}[^⟦⟨‹]{0,60}?\\b${AT}\\s+[^⟦⟨‹]{0,30}${D}`,
    (m) => [{ person: m[1], office: m[2], start: m[3] }],
  ),
  rule(
    `${AT}\\s+${D},?[^⟦⟨‹]{0,80}${P}(?:(?!⟦|⟨|‹).){0,60}?\\b${START}\\b(?:(?!⟦|‹|${ASIDE}|${OTHER}).){0,120}?${O}(?![^⟦⟨]{0,20}(?:effective|since|from)\\s+‹)`,
    (m) => [{ person: m[2], office: m[3], start: m[1] }],
  ),
  // the Board appointed A as O effective D
  rule(
    `\\b(?:appoint(?:ed|ment of|ing)|nam(?:ed|ing)|elect(?:ed|ion of)|promot(?:ed|ion of|ing)|hir(?:ed|ing of)|designat(?:ed|ing))\\s+${P}[^⟦⟨‹]{0,30}?\\b(?:as|to)\\b(?:(?!⟦|‹|\\bBoard\\b).){0,90}?${O}[^⟦⟨‹]{0,60}?\\b${AT}\\s+[^⟦⟨‹]{0,30}${D}`,
    (m) => [{ person: m[1], office: m[2], start: m[3] }],
  ),
  rule(
    `${AT}\\s+${D},?(?:(?!⟦|⟨|‹).){0,80}\\b(?:appoint(?:ed|ment of)|nam(?:ed)|elect(?:ed|ion of)|promot(?:ed|ion of)|hir(?:ed|ing of)|designated)\\s+${P}[^⟦⟨‹]{0,30}?\\b(?:as|to)\\b(?:(?!⟦|‹|\\bBoard\\b).){0,90}?${O}(?![^⟦⟨]{0,20}(?:effective|since|from)\\s+‹)`,
    (m) => [{ person: m[2], office: m[3], start: m[1] }],
  ),
  // A joined us in D as O
  rule(
    `${P}\\s+joined\\b[^⟦⟨‹]{0,60}\\b(?:in|on|effective)\\s+${D},?[^⟦⟨‹]{0,20}\\bas\\b(?:(?!⟦|‹).){0,70}?${O}`,
    (m) => [{ person: m[1], office: m[3], start: m[2] }],
  ),
  // the Board appointed A as successor to B as O, effective D
  rule(
    `\\b(?:appoint\\w*|nam(?:ed|ing)|elect\\w*|promot\\w*|select\\w*)\\s+${P}[^⟦⟨‹]{0,80}?\\b(?:successor to|to succeed|to replace|succeeding|replacing)\\s+${WHOM}[^⟦‹]{0,60}?${O}[^⟦⟨‹]{0,40}?\\b${AT}\\s+[^⟦⟨‹]{0,20}${D}`,
    (m) => [
      { person: m[1], office: m[3], start: m[4] },
      { person: m[2], office: m[3], end: m[4] },
    ],
  ),
  // Effective D, A, who had been X since D, became O, and B became O
  rule(
    `\\b${AT}\\s+${D},?\\s+${P},\\s+(?:who|formerly|previously|then)\\b[^⟦]{0,160}?,\\s+(?:was\\s+|has\\s+been\\s+)?${START}\\b(?:(?!⟦|‹|${ASIDE}|${OTHER}).){0,80}?${O}(?![^⟦⟨]{0,20}(?:effective|since|from|on|in)\\s+‹)`,
    (m) => [{ person: m[2], office: m[3], start: m[1] }],
  ),
  rule(
    `^[^⟦⟨‹]{0,12}\\b(?:effective|on|as of)\\b[^⟦⟨‹]{0,12}${D}.{0,320}?,?\\s+and\\s+${P}[^⟦⟨‹]{0,40}?\\b${START}\\b(?:(?!⟦|‹|${ASIDE}|${OTHER}).){0,80}?${O}(?![^⟦⟨]{0,20}(?:effective|since|from|on|in)\\s+‹)`,
    (m) => [{ person: m[2], office: m[3], start: m[1] }],
  ),
  // A and B were each appointed O on D
  rule(
    `${P}\\s+and\\s+${P}\\s+(?:were|have been)\\s+(?:each\\s+|both\\s+)?${START}\\b[^⟦⟨‹]{0,60}${O}[^⟦⟨‹]{0,40}?\\b${AT}\\s+[^⟦⟨‹]{0,20}${D}`,
    (m) => [
      { person: m[1], office: m[3], start: m[4] },
      { person: m[2], office: m[3], start: m[4] },
    ],
  ),
  rule(
    `\\b${AT}\\s+${D},?[^‹]{0,220}?${P}\\s+and\\s+${P}\\s+(?:were|have been)\\s+(?:each\\s+|both\\s+)?${START}\\b[^⟦⟨‹]{0,60}${O}`,
    (m) => [
      { person: m[2], office: m[4], start: m[1] },
      { person: m[3], office: m[4], start: m[1] },
    ],
  ),
  // Effective D, A, who had been O since D, became something else
  rule(
    `\\b${AT}\\s+${D},?\\s+${P},\\s+who\\s+(?:had|has)\\s+(?:been|served|acted)\\b[^⟦⟨‹]{0,60}${O}\\s+since\\s+[^⟦⟨‹]{0,12}${D},\\s+(?:was\\s+|has\\s+been\\s+)?${START}`,
    (m) => [{ person: m[2], office: m[3], start: m[4], end: m[1] }],
  ),
  // A is X since D, prior to which A was O
  rule(
    `\\b(?:since|on|in|effective)\\s+${D},?\\s*(?:prior to|before)\\s+(?:which|that|then)\\b[^⟦⟨‹]{0,12}${P}\\s+(?:was|served|acted|had been|had served|held)\\b[^⟦‹]{0,60}?${O}`,
    (m) => [{ person: m[2], office: m[3], end: m[1] }],
  ),
  // A served as O until his promotion to another office on D
  rule(
    `${P}(?:(?!⟦).){0,160}?${O}[^⟦⟨‹]{0,40}\\buntil\\s+(?:his|her|their)\\s+(?:promotion|appointment|election|retirement|resignation|departure)\\b[^⟦‹]{0,60}?${D}`,
    (m) => [{ person: m[1], office: m[2], end: m[3] }],
  ),
  // A handed the role of O over to B on D
  rule(
    `${P}\\s+handed\\b[^⟦⟨‹]{0,60}${O}[^⟦⟨‹]{0,20}\\bto\\s+${P}[^⟦⟨‹]{0,20}\\b${AT}\\s+[^⟦⟨‹]{0,12}${D}`,
    (m) => [
      { person: m[1], office: m[2], end: m[4] },
      { person: m[3], office: m[2], start: m[4] },
    ],
  ),
  // A was X until D, when A became O
  rule(
    `\\b(?:until|through|prior to|to|from|since)\\s+[^⟦⟨‹]{0,12}${D}${WHEN}\\s+${P}[^⟦⟨‹]{0,40}?\\b${START}\\b(?:(?!⟦|‹|${ASIDE}|${OTHER}).){0,120}?${O}`,
    (m) => [{ person: m[2], office: m[3], start: m[1] }],
  ),
  // O … until D, when A was succeeded by B
  rule(
    `${O}[^⟦⟨‹]{0,60}${D}(?:${WHEN}\\s+⟦\\d+⟧|,?\\s+and)\\s+(?:was|were)\\s+(?:succeeded|replaced)\\s+by\\s+${P}`,
    (m) => [{ person: m[3], office: m[1], start: m[2] }],
  ),
  // A was succeeded by B as O on D
  rule(
    `${P}[^⟦⟨‹]{0,40}\\b(?:was|were|been)\\s+(?:succeeded|replaced)\\s+by\\s+${P}[^⟦‹]{0,60}?${O}[^⟦⟨‹]{0,40}?\\b${AT}\\s+[^⟦⟨‹]{0,20}${D}`,
    (m) => [
      { person: m[1], office: m[3], end: m[4] },
      { person: m[2], office: m[3], start: m[4] },
    ],
  ),
  // A joined in D and was appointed O in D
  rule(
    `${P}${CLAUSE}{0,260}?(?:,|;|\\band)\\s+(?:(?:then|later|subsequently|also|was|were|has|been|is|most recently)\\s+){0,3}${START}\\b(?:(?!${ASIDE}|${OTHER})${ON}){0,130}?${O}[^⟦⟨‹]{0,60}?\\b${AT}\\s+[^⟦⟨‹]{0,30}${D}${OPEN}`,
    (m) => [{ person: m[1], office: m[2], start: m[3] }],
  ),
  // A was appointed X in D and O in D; A has served as X since D and as O since D
  rule(
    `${P}${CLAUSE}{0,200}?\\b${START}\\b${CLAUSE}{0,120}?›,?\\s+and\\b[^⟦⟨‹]{0,60}?${O}[^⟦⟨‹]{0,40}?\\b${AT}\\s+[^⟦⟨‹]{0,20}${D}${OPEN}`,
    (m) => [{ person: m[1], office: m[2], start: m[3] }],
  ),
  rule(`${P}${CLAUSE}{0,200}?›,?\\s+and\\b[^⟦⟨‹]{0,60}?${O},?\\s+since\\s+[^⟦⟨‹]{0,20}${D}`, (m) => [
    { person: m[1], office: m[2], start: m[3] },
  ]),
  // after serving as O since D
  rule(
    `${P}(?:(?!⟦).){0,200}?\\b(?:serving|acting|having served|having acted|having been)\\b(?:\\s+as\\b)?[^⟦⟨‹]{0,60}${O}[^⟦⟨‹]{0,20}\\bsince\\s+[^⟦⟨‹]{0,20}${D}`,
    (m) => [{ person: m[1], office: m[2], start: m[3] }],
  ),
  // A was X until D, when A succeeded B as O
  rule(`${D}${WHEN}\\s+${P}[^⟦⟨‹]{0,30}?\\b(?:succeeded|replaced)\\s+${WHOM}[^⟦‹]{0,60}?${O}`, (m) => [
    { person: m[2], office: m[4], start: m[1] },
    { person: m[3], office: m[4], end: m[1] },
  ]),
  // A, our O since D; A, 47, O since D; A is our O, a position A has held since D
  rule(
    `${P},?\\s+(?:(?:\\(?\\d{2}\\)?,?\\s+)?[–—-]\\s+|(?:age\\s+)?\\(?\\d{2}\\)?,?\\s+|(?:is|currently|serves|as|our|the Company[’']s)\\s+)(?:(?!⟦|⟨|‹|[.;]|\\bformer|\\bprevious|\\breport|\\bby\\b|\\bto\\b).){0,70}${O},?\\s+since\\s+[^⟦⟨‹]{0,12}${D}`,
    (m) => [{ person: m[1], office: m[2], start: m[3] }],
  ),
  rule(
    `${P}[^⟦⟨‹]{0,80}${O},?\\s+(?:a|the|which)\\s+(?:(?:position|role|office|capacity)\\s+)?(?:(?:that|which)\\s+)?(?:he|she|they|⟦\\d+⟧)\\s+(?:has|have)\\s+(?:held|served in|occupied)\\s+since\\s+[^⟦⟨‹]{0,12}${D}`,
    (m) => [{ person: m[1], office: m[2], start: m[3] }],
  ),
  // from D, the date A became O
  rule(
    `${D}${WHEN}\\s+${P}[^⟦⟨‹]{0,30}?\\b${START}\\b(?:(?!⟦|‹|${ASIDE}|${OTHER}).){0,100}?${O}(?![^⟦⟨]{0,20}(?:effective|since|from|on|in)\\s+‹)`,
    (m) => [{ person: m[2], office: m[3], start: m[1] }],
  ),
  // Before becoming O on D, A was
  rule(
    `\\b(?:prior to|before|following|upon|after|until|in connection with|as a result of|at the time of)\\s+(?:his\\s+|her\\s+|their\\s+)?(?:becoming|being\\s+(?:appointed|named|promoted|elected|hired)|appointment|promotion|election|hiring|hire)\\b[^⟦⟨‹]{0,50}${O}[^⟦⟨‹]{0,30}\\b${AT}\\s+[^⟦⟨‹]{0,15}${D},\\s+${P}`,
    (m) => [{ person: m[3], office: m[1], start: m[2] }],
  ),
  rule(
    `${P}[^⟦‹]{0,120}\\b(?:prior to|before|until)\\s+(?:his\\s+|her\\s+|their\\s+)?(?:becoming|being\\s+(?:appointed|named|promoted|elected)|appointment|promotion|election)\\b[^⟦⟨‹]{0,50}${O}[^⟦⟨‹]{0,30}\\b${AT}\\s+[^⟦⟨‹]{0,15}${D}`,
    (m) => [{ person: m[1], office: m[2], start: m[3] }],
  ),
  // Upon his resignation as O on D, A received
  rule(
    `\\b(?:prior to|before|following|upon|after|in connection with|at the time of)\\s+(?:his|her|their)\\s+(?:resignation|retirement|departure|termination|separation)\\b[^⟦⟨‹]{0,30}\\b(?:as|from)\\b[^⟦⟨‹]{0,50}${O}[^⟦⟨‹]{0,30}\\b${AT}\\s+[^⟦⟨‹]{0,15}${D},\\s+${P}`,
    (m) => [{ person: m[3], office: m[1], end: m[2] }],
  ),
  // A's employment as O ended on D; A's last day as O was D
  rule(
    `${P}\\s+(?:employment|service|tenure|term|role|appointment|position)\\b[^⟦⟨‹]{0,40}${O}[^⟦⟨‹]{0,40}?\\b(?:terminated|ended|ceased|concluded|expired)\\b[^⟦⟨‹]{0,40}?\\b${AT}\\s+[^⟦⟨‹]{0,20}${D}`,
    (m) => [{ person: m[1], office: m[2], end: m[3] }],
  ),
  rule(
    `${P}\\s+last day\\b[^⟦⟨‹]{0,40}\\bas\\b[^⟦⟨‹]{0,30}${O}\\s+(?:was|is|of)\\s+[^⟦⟨‹]{0,10}${D}`,
    (m) => [{ person: m[1], office: m[2], end: m[3] }],
  ),
  // A's employment as O began on D
  rule(
    `${P}\\s+(?:employment|service|tenure|term|role|appointment)\\b[^⟦⟨‹]{0,40}${O}[^⟦⟨‹]{0,40}?\\b(?:began|commenced|started|was effective|became effective)\\b\\s*(?:${AT}\\s+)?[^⟦⟨‹]{0,20}${D}`,
    (m) => [{ person: m[1], office: m[2], start: m[3] }],
  ),
  // A served as O for D and through D
  rule(
    `${P}[^⟦⟨‹]{0,60}\\b(?:served|acted|was)\\b[^⟦⟨‹]{0,40}${O}\\s+(?:for|in|during)\\b[^⟦⟨‹]{0,20}‹\\d+›\\s+and\\s+(?:through|until)\\s+(?!the end)[^⟦⟨‹]{0,12}${D}`,
    (m) => [{ person: m[1], office: m[2], end: m[3] }],
  ),
  // A retired as O on D and B was appointed as his successor
  rule(
    `${O}[^⟦⟨‹]{0,60}${D},?\\s+and\\s+${P}\\s+(?:was|has been)\\s+(?:appointed|named|elected|chosen)\\s+(?:as\\s+|to be\\s+)?(?:his|her|their)\\s+successor`,
    (m) => [{ person: m[3], office: m[1], start: m[2] }],
  ),
  // A moved from X to O in D
  rule(
    `${P}[^⟦⟨‹]{0,60}\\b(?:transition\\w*|moved|advanced|changed)\\b[^⟦⟨‹]{0,30}\\bfrom\\b[^⟦‹]{0,90}?\\bto\\b[^⟦⟨‹]{0,60}${O}[^⟦⟨‹]{0,40}?\\b${AT}\\s+[^⟦⟨‹]{0,15}${D}`,
    (m) => [{ person: m[1], office: m[2], start: m[3] }],
  ),
  rule(
    `\\b${AT}\\s+${D},?\\s+${P}[^⟦⟨‹]{0,60}\\b(?:transition\\w*|moved|advanced|changed)\\b[^⟦⟨‹]{0,30}\\bfrom\\b[^⟦‹]{0,90}?\\bto\\b[^⟦⟨‹]{0,60}${O}`,
    (m) => [{ person: m[2], office: m[3], start: m[1] }],
  ),
  // Effective D, A became chair and B became O
  rule(
    `\\b${AT}\\s+${D},?\\s+⟦\\d+⟧[^⟦‹]{0,140}\\band\\s+${P}(?:(?!⟦|⟨|‹).){0,60}?\\b${START}\\b(?:(?!⟦|‹|${ASIDE}|${OTHER}).){0,80}?${O}(?![^⟦⟨]{0,20}(?:effective|since|from|on|in)\\s+‹)`,
    (m) => [{ person: m[2], office: m[3], start: m[1] }],
  ),
  // A was promoted from O to X on D; A's title changed from O to X
  rule(
    `${P}[^⟦⟨‹]{0,60}\\b(?:promoted|transition\\w*|moved|changed)\\b[^⟦⟨‹]{0,30}\\bfrom\\b[^⟦⟨‹]{0,40}${O}(?:\\s+of\\s+[^⟦⟨‹,;]{1,40}?)?\\s+to\\b[^⟦‹]{0,80}?\\b${AT}\\s+[^⟦⟨‹]{0,15}${D}`,
    (m) => [{ person: m[1], office: m[2], end: m[3] }],
  ),
  rule(
    `\\b${AT}\\s+${D},?\\s+${P}[^⟦⟨‹]{0,60}\\b(?:promoted|transition\\w*|moved|changed)\\b[^⟦⟨‹]{0,30}\\bfrom\\b[^⟦⟨‹]{0,40}${O}(?:\\s+of\\s+[^⟦⟨‹,;]{1,40}?)?\\s+to\\b`,
    (m) => [{ person: m[2], office: m[3], end: m[1] }],
  ),
];

function rule(source: string, read: Rule["read"]): Rule {
  return { pattern: new RegExp(source, "gi"), read };
}

/** What a sentence that dates an office cannot lack. */
export const EVENT = new RegExp(
  `\\b(?:${START}|${SERVE}|${LEAVE}|succe\\w+|replac\\w+|until|through|since|ended|changed|last day)\\b`,
  "i",
);
