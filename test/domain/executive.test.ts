import { expect, test } from "bun:test";
import { displayName, executiveId, nameSuffix, surnameOf } from "../../src/domain/executive.ts";

/** Printed name, served name, id. Cases from real filings have no note; the others say what they represent. */
const NAMES: readonly (readonly [printed: string, served: string, id: string])[] = [
  // docs/contract.md, "Executives"
  ["Robert B. Ford", "Robert B. Ford", "robert-ford"],
  ["S.J. Squeri", "S.J. Squeri", "s-squeri"],
  ["Deirdre O’Brien", "Deirdre O’Brien", "deirdre-obrien"],
  ["Tim Cook", "Tim Cook", "tim-cook"],
  ["TED SARANDOS", "Ted Sarandos", "ted-sarandos"],
  ["Van de Put, Dirk", "Dirk Van de Put", "dirk-van-de-put"],
  // initials
  ["J. STANKEY", "J. Stankey", "j-stankey"],
  ["R. R. Krishnan", "R. R. Krishnan", "r-krishnan"],
  ["A.M. O’Brien", "A.M. O’Brien", "a-obrien"],
  ["Elcio R.T. Barcelos", "Elcio R.T. Barcelos", "elcio-barcelos"],
  ["ANDREW R. J. BONFIELD", "Andrew R. J. Bonfield", "andrew-bonfield"],
  ["Fernando S Rivas", "Fernando S Rivas", "fernando-rivas"],
  ["KC McClure", "KC McClure", "kc-mcclure"],
  ["Manuel JM Steijaert", "Manuel JM Steijaert", "manuel-jm-steijaert"],
  ["KC MCCLURE", "KC McClure", "kc-mcclure"],
  // capitals
  ["D. MCATEE", "D. McAtee", "d-mcatee"],
  ["J. MCELFRESH", "J. McElfresh", "j-mcelfresh"],
  ["P. DESROCHES", "P. Desroches", "p-desroches"],
  ["BOB DE LANGE", "Bob de Lange", "bob-de-lange"],
  ["DIRK VAN DE PUT", "Dirk van de Put", "dirk-van-de-put"],
  ["VAN DE PUT, DIRK", "Dirk Van de Put", "dirk-van-de-put"],
  ["DEIRDRE O'BRIEN", "Deirdre O'Brien", "deirdre-obrien"],
  ["Deirdre O´Brien", "Deirdre O´Brien", "deirdre-obrien"],
  ["CHRISTA A. D’ALIMONTE", "Christa A. D’Alimonte", "christa-dalimonte"],
  ["AZITA SALEKI-GERHARDT", "Azita Saleki-Gerhardt", "azita-saleki-gerhardt"],
  ["KEVIN MACDONALD", "Kevin Macdonald", "kevin-macdonald"],
  ["JOHN A. McDONALD", "John A. McDonald", "john-mcdonald"],
  ["ED McDONALD III", "Ed McDonald III", "ed-mcdonald"],
  ["Frank LaPRADE", "Frank LaPrade", "frank-laprade"],
  ["MINH LE", "Minh Le", "minh-le"],
  ["DAVID NG", "David Ng", "david-ng"],
  ["YUSUF A. NG II", "Yusuf A. Ng II", "yusuf-ng"],
  ["Andrew MACDONALD", "Andrew Macdonald", "andrew-macdonald"],
  ["Ernesto TORRES CANTÚ", "Ernesto Torres Cantú", "ernesto-torres-cantu"],
  ["JACK MA", "Jack Ma", "jack-ma"],
  ["Jake Van Naarden", "Jake Van Naarden", "jake-van-naarden"],
  ["Ryan Mclnerney", "Ryan Mclnerney", "ryan-mclnerney"],
  // suffixes
  ["D. JAMES UMPLEBY III", "D. James Umpleby III", "d-james-umpleby"],
  ["William Clay Ford, Jr.", "William Clay Ford, Jr.", "william-clay-ford"],
  ["WILLIAM CLAY FORD, JR.", "William Clay Ford, Jr.", "william-clay-ford"],
  ["H. Lawrence Culp, Jr", "H. Lawrence Culp, Jr", "h-lawrence-culp"],
  ["Frank G. LaPrade, III", "Frank G. LaPrade, III", "frank-laprade"],
  ["Terrell Kirk Crews II", "Terrell Kirk Crews II", "terrell-kirk-crews"],
  ["Ford, Jr., James D.", "James D. Ford, Jr.", "james-ford"],
  ["Ford, James D., Jr.", "James D. Ford, Jr.", "james-ford"],
  ["Ford Jr., James D.", "James D. Ford Jr.", "james-ford"],
  // degrees
  ["Robert B. Ford, Ph.D.", "Robert B. Ford", "robert-ford"],
  ["Daniel M. Skovronsky, M.D., Ph.D.", "Daniel M. Skovronsky", "daniel-skovronsky"],
  ["DANIEL M. SKOVRONSKY, M.D., PH.D.", "Daniel M. Skovronsky", "daniel-skovronsky"],
  ["Dean Li, MD, PhD", "Dean Li", "dean-li"],
  ["Ada Byrne PhD", "Ada Byrne", "ada-byrne"],
  ["Ada Byrne, C.P.A.", "Ada Byrne", "ada-byrne"],
  ["Ada Byrne, Ph. D.", "Ada Byrne", "ada-byrne"],
  ["Ada Byrne, FFA", "Ada Byrne", "ada-byrne"],
  ["Ada Byrne, Jr., Esq.", "Ada Byrne, Jr.", "ada-byrne"],
  ["Byrne, Ada, M.D.", "Ada Byrne", "ada-byrne"],
  ["Mai Do", "Mai Do", "mai-do"],
  // honorifics
  ["Mr. Cook", "Cook", "cook"],
  ["Dr. Lisa T. Su", "Lisa T. Su", "lisa-su"],
  ["Sir Andrew Witty", "Andrew Witty", "andrew-witty"],
  ["Gen. Mark Byrne (Ret.)", "Mark Byrne", "mark-byrne"],
  // nicknames stay in the name, not in the id
  ["William “Bill” Pappas", "William “Bill” Pappas", "william-pappas"],
  ["William (Bill) Pappas", "William (Bill) Pappas", "william-pappas"],
  ["William 'Bill' Pappas", "William 'Bill' Pappas", "william-pappas"],
  ['Pappas, William "Bill"', 'William "Bill" Pappas', "william-pappas"],
  // footnote markers
  ["Richard A. Galanti8", "Richard A. Galanti", "richard-galanti"],
  ["Richard A. Galanti(8)", "Richard A. Galanti", "richard-galanti"],
  ["Richard A. Galanti (1)(2)", "Richard A. Galanti", "richard-galanti"],
  ["Richard A. Galanti (3, 4)*", "Richard A. Galanti", "richard-galanti"],
  ["Richard A. Galanti (a)", "Richard A. Galanti", "richard-galanti"],
  ["Richard A. Galanti†¹²", "Richard A. Galanti", "richard-galanti"],
  ["William Clay Ford, Jr.(5)", "William Clay Ford, Jr.", "william-clay-ford"],
  // surname first
  ["Kuhn, Volker", "Volker Kuhn", "volker-kuhn"],
  ["Zaramella, Luca", "Luca Zaramella", "luca-zaramella"],
  ["O’Brien, Deirdre", "Deirdre O’Brien", "deirdre-obrien"],
  ["Ma, Jack", "Jack Ma", "jack-ma"],
  ["Ada Byrne, Chief Executive Officer", "Ada Byrne", "ada-byrne"],
  // diacritics and letters
  ["Jen-Hsun Huang", "Jen-Hsun Huang", "jen-hsun-huang"],
  ["Ma. Fatima D. Francisco", "Ma. Fatima D. Francisco", "ma-fatima-francisco"],
  ["Frank A. St. John", "Frank A. St. John", "frank-st-john"],
  ["Carol Tomé", "Carol Tomé", "carol-tome"],
  ["Søren Skou", "Søren Skou", "soren-skou"],
  ["Łukasz Weiß", "Łukasz Weiß", "lukasz-weiss"],
  ["  Tim\u00a0\u200bCook  ", "Tim Cook", "tim-cook"],
];

test("names are served and converted to ids as the contract says", () => {
  const got = NAMES.map(([printed]) => [printed, displayName(printed), executiveId(printed)]);
  expect(got).toEqual(NAMES.map((row) => [...row]));
});

test("a served name is stable, and gives the same id as the printed one", () => {
  for (const [printed] of NAMES) {
    const served = displayName(printed);
    expect(displayName(served)).toBe(served);
    expect(executiveId(served)).toBe(executiveId(printed));
  }
});

test("a suffix is read only where it ends the name", () => {
  expect(nameSuffix("William Clay Ford, Jr.")).toBe("jr");
  expect(nameSuffix("H. Lawrence Culp, Jr")).toBe("jr");
  expect(nameSuffix("D. JAMES UMPLEBY III")).toBe("iii");
  expect(nameSuffix("Walter W. Bettinger II")).toBe("ii");
  expect(nameSuffix("Iv Junior Smith")).toBeUndefined();
  expect(nameSuffix("Tim Cook")).toBeUndefined();
});

test("the surname is the last word that is not a suffix, degree or nickname", () => {
  expect(surnameOf("Daniel J. Cregg")).toBe(surnameOf("Dan Cregg"));
  expect(surnameOf("William Clay Ford, Jr.")).toBe("ford");
  expect(surnameOf("Van de Put, Dirk")).toBe("put");
  expect(surnameOf("DEIRDRE O'BRIEN")).toBe("obrien");
});

test("a name without Latin letters has no id, and an empty cell is not a name", () => {
  expect(executiveId("李彥宏")).toBe("");
  for (const nothing of ["", "   ", ",", "(1)", "*", "123"]) {
    expect(displayName(nothing)).toBe("");
    expect(executiveId(nothing)).toBe("");
  }
});

test("an id is always ASCII words joined by single hyphens", () => {
  const bits = [
    "O’",
    "Mc",
    "de ",
    "Jr.",
    ", ",
    "M.D.",
    "(x)",
    "“",
    "é",
    "李",
    "-",
    ".",
    " ",
    "A",
    "b",
    "III",
    "\u200b",
    "9",
    "ß",
  ];
  let seed = 11;
  for (let round = 0; round < 5_000; round++) {
    let name = "";
    for (let length = 0; length < 1 + (round % 9); length++) {
      seed = (seed * 48_271) % 2_147_483_647;
      name += bits[seed % bits.length] ?? "";
    }
    expect(executiveId(name)).toMatch(/^([a-z0-9]+(-[a-z0-9]+)*)?$/);
  }
});
