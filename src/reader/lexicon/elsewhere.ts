/**
 * Evidence that an office in a sentence is not one of this company: it is another company's, a division's, or just a label.
 * Matched against `words before ⟨CEO⟩ words after`. A `company` that a pattern captures must not be this one.
 */
import { lexiconOf } from "./entry.ts";

/** `label`: not an office; `elsewhere`: an office of another company or of a part of this one. */
export const ELSEWHERE = lexiconOf("office-elsewhere", {
  label: {
    "cases: Mr. Santos (our First PEO) served as a director; 0001140361-25-021135":
      /\b(?:first|second|third|former|prior|new|current)\s+⟨PEO⟩|⟨PEO⟩\s*(?:#\s*)?\d\b/i,
    // A co-chief executive who continues alone.
    "cases: Ms. Krause became sole Chief Executive Officer": /\bsole\s+⟨/i,
    "cases: Ms. Krause received half of the award of our CFO; the CFO’s award":
      /\b(?<!\b(?:role|office|position|title|capacity|dut(?:y|ies)|responsibilit\w+|functions?|post|job|powers|work|place|appointment|promotion|election|hiring) )(?:of|by|with|for|than|between)\s+(?:our|its|their)\s+(?:(?:then|current|former|new|next|[A-Z][\w&-]*|and|of the Board)[\s,]+){0,6}⟨|⟩[’']s\b(?! (?:role|office|position|duties|responsibilities))/,
    "cases: the award granted to our CFO in 2023":
      /\b(?:grant|award|paid|provid|given|made|issu|payable|applica|recommend|relati|compar|equal|similar)\w*\b[^⟦⟨‹;]{0,40}\bto\s+(?:our|the|its|their)\s+(?:[A-Z][\w&-]*[\s,]+(?:and\s+)?){0,5}⟨/,
    "cases: Ms. Krause was named to the CFO Hall of Fame":
      /⟩\s+(?:hall of fame|magazine|council|forum|award)\b/i,
  },
  elsewhere: {
    "terms.test: Ms. Krause previously served as Chief Financial Officer of Foo Corp.":
      /⟩\s*(?:and (?:president|director|chairman|chair|secretary|treasurer)\s*)?(?:of|at|for|with)\s+(?:the\s+)?(?!General|Issuer|January|February|March|April|May|June|July|August|September|October|November|December)(?<company>[A-Z][\w&.’'-]*(?:\s+[A-Z&][\w&.’'-]*){0,5})/,
    "cases: Ms. Krause was a partner of CFO Advisors LLC":
      /⟩\s+(?<company>[A-Z][\w&.’'-]*(?:\s+[A-Z&][\w&.’'-]*){0,3},?\s+(?:LLC|LLP|Inc|Corp|Ltd))\b/,
    "cases: Ms. Krause co-founded Foo Labs and served as its Chief Executive Officer":
      /\b(?:at|joined|founded|formed|director of)\s+(?:the\s+)?(?<company>[A-Z][\w&.’'-]*)[^⟦⟨;]{0,120}\bits\s+(?:[\w,]+\s+){0,5}⟨/,
    "cases: Ms. Krause was appointed Chief Financial Officer, Retail Division":
      /⟩\s*,\s*(?:[A-Z][\w.&]+\s+){0,3}(?:Division|Segment|Group|Region|International|Americas|North America|Europe|Asia)/,
    "cases: Ms. Krause has served as CFO, Wealth & Retail Management, since":
      /⟩,\s+(?!President|Chair|Chief|Director|Treasurer|Secretary|Vice|Executive|Senior|Principal|General|Interim|Acting|Controller|Founder)(?<company>[A-Z]\w*(?:\s+(?:&|and)\s+[A-Z]\w*(?:\s+[A-Z]\w*){0,2})),?\s+(?:on|in|effective|since|from|until)\b/,
    "cases: Ms. Krause was named Chief Executive Officer, Foo Medical, on":
      /⟩,\s+(?!President|Chair|Chief|Director|Treasurer|Secretary|Vice|Executive|Senior|Principal|General|Interim|Acting|Controller|Founder|Inc|Corp|LLC|Ltd)(?<company>[A-Z][\w&.’'-]*(?:\s+[A-Z][\w&.’'-]*){0,3}),?\s+(?:on|in|effective|since|from|until)\b/,
    "cases: Ms. Krause held several positions with Foo, most recently as Chief Financial Officer":
      /\b(?:at|with)\s+(?<company>[A-Z][\w&.’'-]*)[^⟦⟨;]{0,60}\bmost recently\b[^⟦⟨;]{0,40}⟨/,
    "terms.test: Ms. Krause was promoted to chief of staff to our Chief Financial Officer":
      /\b(?:report|advis|assist|chief of staff|consult|deputy|successor)\w*\s+(?:\w+\s+){0,3}(?:to|for|with)\s+(?:the|our)\s+(?:former\s+|(?:\w+\s+){1,4}(?<!\bto the )(?<!\bas ))?⟨/i,
    "terms.test: Ms. Krause became Acme’s Chief Financial Officer":
      /(?!(?:Company|Corporation|Registrant|Firm|Partnership|Bank)[’'])(?<![\w&.-])(?<company>[A-Z][\w&.-]*)[’']s\s+(?:former\s+|interim\s+|acting\s+)?(?:[A-Z]\w*(?:,|\s+and|\s+of the Board)?(?:\s+and)?\s+){0,6}⟨/,
    "terms.test: Ms. Krause joined Foo Corp. in 2009 and became its Chief Financial Officer":
      /\b(?:Inc|Corp|LLC|Ltd|L\.P)\b.*\b[Ii]ts\s+(?:[\w,]+\s+){0,5}⟨/s,
    "terms.test: Ms. Krause was appointed Deputy Chief Financial Officer":
      /\b(?:deputy|assistant|division|divisional|regional|segment)\s+⟨/i,
    "fixture 53: Office of the Chief Executive Officer": /\boffice of the\s+⟨/i,
    "terms.test: a director of Foo Corp., where she was Chief Financial Officer":
      /\bwhere(?:,[^⟦⟨;]{0,60},)?\s+(?:he|she|⟦\d+⟧)\s+(?:[\w-]+,?\s+){0,5}⟨/,
    "terms.test: Ms. Krause was named Chief Financial Officer-elect": /⟩\s*[- ](?:designate|elect)\b/i,
    "terms.test: Ms. Krause was Chief Financial Officer of our subsidiary":
      /⟩\s*(?:of|at|for)\s+(?:(?:the|our|its)\s+)?(?:[Cc]ompany[’']s\s+)?(?:[\w-]+\s+){0,2}(?:subsidiar|affiliate|division|parent\b|segment|business\b|operations\b)/,
    "cases: Ms. Krause was Chief Executive Officer of a privately held software company":
      /⟩\s*of\s+(?:an?|another)\b/,
    "terms.test: Ms. Krause was Chief Executive Officer and sole Board member of Vision Global":
      /⟩(?:\s*[/,&]|\s+and)\s*(?:[\w-]+\s+){1,5}?(?:of|at|for)\s+(?!the\s+(?:Board|Company))(?:the\s+)?(?<company>[A-Z][\w&.’'-]*)(?:\s+[A-Z&][\w&.’'-]*){0,5},?\s+(?:Inc|Corp|LLC|L\.L\.C|Ltd|L\.P|plc|PLC|N\.V|S\.A|Corporation|Company|Holdings|Bancorp|Bancshares)\b/,
  },
});
