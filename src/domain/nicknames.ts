/** Shortened first names that filings and people use for one another, folded. Names of a line are interchangeable. */
const SAME_NAMES = `
abby abigail|al albert alan allen|alex alexander alexandra|andy andrew drew|art arthur|barb barbara|ben benjamin
beth elizabeth betsy liz lisa|bill william will billy|bob robert rob robby bobby|brad bradley|cathy catherine katherine kathryn kathleen kate kathy katie
charlie charles chuck|chris christopher christine christina|cindy cynthia|dan daniel danny|dave david|deb deborah debra debbie
dick richard rick rich|don donald|doug douglas|ed edward eddie edwin|frank francis franklin|fred frederick|gabe gabriel|gene eugene
greg gregory|hank henry|herb herbert|jack john|jake jacob|james jim jimmy jamie|jeff jeffrey geoffrey geoff|jen jennifer|jerry gerald jerome|joe joseph
jon jonathan|josh joshua|judy judith|ken kenneth|kim kimberly|larry lawrence laurence|len leonard|lou louis|marty martin|matt matthew
maggie margaret meg peggy|mike michael|mitch mitchell|nate nathan nathaniel|nick nicholas|pam pamela|pat patrick patricia|pete peter|phil philip phillip
ray raymond|ron ronald|russ russell|sam samuel samantha|sandy sandra|stan stanley|steve steven stephen|stu stuart|sue susan suzanne|ted theodore edward
terry terrence terence|tim timothy|toby tobias|tom thomas|tony anthony|val valerie|vicky victoria|vince vincent|walt walter|wes wesley|zach zachary`;

const GROUPS = SAME_NAMES.trim()
  .split(/[|\n]/)
  .map((line) => line.split(" "));

/** The other forms of a folded first name; none for most words. */
export function otherForms(name: string): string[] {
  const others = GROUPS.filter((group) => group.includes(name)).flat();
  return [...new Set(others)].filter((other) => other !== name);
}
