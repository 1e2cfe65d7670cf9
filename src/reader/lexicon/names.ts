import { lexiconOf } from "./lexicon.ts";

/** A case-insensitive pattern that matches exactly one word of a space-separated list. */
function oneOf(list: string): RegExp {
  const words = list.split(" ").map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^(?:${words.join("|")})$`, "i");
}

/** Words that begin or make up a title. Those of an `office` occur in nothing else. */
export const TITLE_WORDS = lexiconOf("title-words", {
  office: {
    "names.test": oneOf(
      "chief president vice officer ceo cfo peo pfo ciso chro evp svp vp director chair chairman chairwoman secretary treasurer counsel controller founder head executive manager partner technoking pres dir treas",
    ),
  },
  title: {
    "real-names.test": oneOf(
      "senior coo cto cio cmo cao clo cho avp chairperson chairmen " +
        "comptroller co-founder cofounder co-chief co-ceo co-president co-chairman co-chair co-head interim acting former formerly principal general managing member " +
        "operating financial accounting administrative legal marketing technology information scientific medical commercial strategy people human resources development " +
        "operations finance corporate regional group division office board advisor adviser consultant emeritus deputy assistant associate global worldwide international " +
        "and & of the to for at in with from until through effective since retired resigned departed our non-executive nonexecutive employee administrator sole special strategic trustee owner portfolio publisher editor bookkeeper accountant geologist geophysicist proprietor superintendent actuary underwriter auditor " +
        "engineer engineering sales personal claims research products product services service business banking bank lending credit risk investment investments officer, exec. sr. ex- pres. treas. asst. dir. mgr.",
    ),
  },
});

/** Words of departments, places and companies that look like names when capitalized. */
export const BUSINESS_WORDS = lexiconOf("business-words", {
  business: {
    "names.test: Supply Chain": oneOf(
      "america americas north south east west europe european asia pacific apac emea latin africa african united states kingdom canada china india japan australia region regional national domestic market markets " +
        "inc inc. corp corp. corporation llc l.l.c. company companies co. ltd ltd. lp l.p. plc bank trust holdings partners capital enterprises enterprise systems system solutions networks network media studios entertainment " +
        "energy power electric gas oil water petroleum powertrain manufacturing supply chain logistics procurement quality safety regulatory affairs compliance communications relations investor public government indices index " +
        "planning analysis design digital data cloud software hardware platform platforms security cyber innovation transformation integration growth customer client clients consumer experience success brand brands retail wholesale stores merchandising commerce " +
        "insurance life health care healthcare pharma pharmaceuticals pharmaceutical biotech therapeutics clinical medicine vaccines devices diagnostics oncology science sciences real estate property properties asset assets wealth management mortgage payments cards " +
        "technical technologies field fleet vehicles vehicle automotive aerospace defense aviation industrial chemicals chemical materials metals mining steel paper packaging food foods beverage restaurants hotels gaming leisure travel education learning training talent culture inclusion diversity " +
        "strategic strategies initiatives projects program programs internal audit tax treasury accounting reporting controls revenue revenues income pricing performance reinforcement segment segments unit units subsidiary subsidiaries unit. department affairs administration " +
        "process control electronics " +
        "all other total totals grand average median target actual annualized amount amounts realized realizable value values pro forma multiple opportunity pay payout payouts",
    ),
  },
});

/** Single words next to a name or inside one. */
export const NAME_PARTS = lexiconOf("name-parts", {
  suffix: {
    "names.test":
      /^(?:jr|sr|ii|iii|iv|v|2nd|3rd|esq|m\.?d|ph\.?d|mb\.?ch\.?b|mbbs|cpa|mba|j\.?d|cfa|r\.?ph|esquire|p\.?eng|pharm\.?d|d\.?v\.?m|v\.m\.d|d\.?o|ll\.?[mb]|m\.b\.a|c\.p\.a|c\.f\.a|m\.p\.h|d\.d\.s|m\.s|r\.n|p\.e|sc\.?d|ed\.?d|ret)\.?$/i,
  },
  honorific: {
    "names.test: Mr. Okafor": /^(?:mr|mrs|ms|miss|dr|prof|sir|dame|hon|gen|adm|rev|lord|lady)\.?$/i,
  },
  particle: {
    "real-names.test":
      /^(?:de|del|della|der|den|di|da|do|dos|das|du|van|von|vom|zu|zur|ter|ten|la|le|los|las|el|al|bin|ibn|y|e|st\.?|mac|mc|o['’])$/i,
  },
});

/** Where a title begins that is not separated from the name: `Ann ExampleChief Executive Officer`. */
export const GLUED_TITLE =
  /(?<=\p{L}{2})(?=(?:Chief|President|Chairman|Chairwoman|Executive|Senior|Vice|General|Director|Former|Interim|Managing|Principal|Treasurer|Secretary)(?![\p{Ll}]))/u;
