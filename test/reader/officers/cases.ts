/** Wordings about officers and what they mean: the cases that the lexicons of the reader are held to. */

/** Sentences as proxies print them, and the terms of office that they give: person, office, start and end (`2019-03` is the month). */
export const SENTENCES: readonly (readonly [sentence: string, spans: string])[] = [
  [
    "Effective March 4, 2019, Ms. Krause, our then Chief Financial Officer, was appointed President.",
    "0F ..2019-03-04",
  ],
  [
    "On March 4, 2019, Mr. Santos retired, and Ms. Krause, who had been our Chief Financial Officer since 2009, was named President.",
    "0F 2009..2019-03-04 | 0F 2009..",
  ],
  [
    "Ms. Krause, who previously served as our Chief Financial Officer, was appointed President on March 4, 2019.",
    "0F ..2019-03-04",
  ],
  [
    "After five years as our Chief Financial Officer, Ms. Krause was appointed President on March 4, 2019.",
    "0F ..2019-03-04",
  ],
  [
    "Ms. Krause was appointed Treasurer on March 4, 2019, after five years as our Chief Financial Officer.",
    "0F ..2019-03-04",
  ],
  [
    "On March 4, 2019, Ms. Krause became Treasurer after five years as our Chief Financial Officer.",
    "0F ..2019-03-04",
  ],
  [
    "Ms. Krause became Treasurer after five years as our Chief Financial Officer, effective March 4, 2019.",
    "0F ..2019-03-04",
  ],
  [
    "Ms. Krause was named Chief Financial Officer on March 4, 2019, a role previously held by Mr. Santos.",
    "0F 2019-03-04.. | 1F ..2019-03-04",
  ],
  [
    "Ms. Krause was named Chief Financial Officer on March 4, 2019. Mr. Santos previously held the role.",
    "0F 2019-03-04.. | 1F ..2019-03-04",
  ],
  [
    "Ms. Krause served as our Chief Financial Officer before becoming Treasurer on March 4, 2019.",
    "0F ..2019-03-04",
  ],
  [
    "Before becoming Treasurer on March 4, 2019, Ms. Krause was our Chief Financial Officer.",
    "0F ..2019-03-04",
  ],
  [
    "Ms. Krause has been our Chief Executive Officer since March 4, 2019 and was our Chief Financial Officer prior to that date.",
    "0P 2019-03-04.. | 0F ..2019-03-04",
  ],
  [
    "Ms. Krause became our Chief Executive Officer in March 2019. Before that, she was our Chief Financial Officer for five years.",
    "0P 2019-03.. | 0F ..2019-03",
  ],
  [
    "Ms. Krause became Treasurer in March 2019. Prior to that, she was Chief Financial Officer of Foo Corp.",
    "",
  ],
  [
    "Ms. Krause was our Treasurer from 2009 to March 2019. Prior to that, she was our Chief Financial Officer.",
    "",
  ],
  [
    "From March 1 to June 30, 2019, while Mr. Santos was on leave, Ms. Krause served as acting Chief Executive Officer.",
    "0P 2019-03-01..2019-06-30",
  ],
  [
    "Ms. Krause acted as our interim Chief Executive Officer from March through June 2019.",
    "0P 2019-03..2019-06",
  ],
  ["Ms. Krause became our Chief Financial Officer on March 4, 2019.", "0F 2019-03-04.."],
  ["Ms. Krause became our Chief Financial Officer on 3/4/2019.", "0F 2019-03-04.."],
  [
    "Ms. Krause became our Chief Financial Officer on March 4, 2019; in 2018 she was our Treasurer.",
    "0F 2019-03-04..",
  ],
  ["Ms. Krause became the Company’s Chief Financial Officer in March 2019.", "0F 2019-03.."],
  ["Ms. Krause was appointed as our Chief Financial Officer effective March 4, 2019.", "0F 2019-03-04.."],
  ["Ms. Krause was appointed our Chief Financial Officer effective March 4, 2019.", "0F 2019-03-04.."],
  ["Ms. Krause was promoted to Chief Financial Officer on March 4, 2019.", "0F 2019-03-04.."],
  [
    "Ms. Krause was named Interim Chief Financial Officer on March 4, 2019 and Chief Financial Officer on June 1, 2019.",
    "0F 2019-03-04.. | 0F 2019-06-01..",
  ],
  [
    "Ms. Krause has served as our Controller since 2009 and was named Interim Chief Financial Officer on March 4, 2019.",
    "0F 2019-03-04..",
  ],
  [
    "Ms. Krause, who has been our Controller since 2009, was named Interim Chief Financial Officer on March 4, 2019.",
    "0F 2019-03-04..",
  ],
  [
    "Ms. Krause has served as Controller since 2009 and as Chief Financial Officer since March 4, 2019.",
    "0F 2019-03-04..",
  ],
  [
    "Ms. Krause has served as Chief Financial Officer since March 4, 2019 and as Controller since 2009.",
    "0F 2019-03-04..",
  ],
  [
    "Ms. Krause joined the Company in 2009 and was appointed Chief Financial Officer effective March 4, 2019.",
    "0F 2019-03-04..",
  ],
  [
    "Ms. Krause joined the Company as Controller in 2009 and became Chief Financial Officer in March 2019.",
    "0F 2019-03..",
  ],
  [
    "Ms. Krause was Vice President, Finance from 2009 to 2013 and has been Chief Financial Officer since March 4, 2019.",
    "0F 2019-03-04..",
  ],
  [
    "Ms. Krause was our Controller until March 2019, when she was promoted to Chief Financial Officer.",
    "0F 2019-03..",
  ],
  [
    "Ms. Krause served as our Controller until March 4, 2019, at which time she became our Chief Financial Officer.",
    "0F 2019-03-04..",
  ],
  [
    "Effective March 4, 2019, Ms. Krause assumed the role of Interim Chief Financial Officer in addition to her role as Controller, which she has held since 2009.",
    "0F 2019-03-04..",
  ],
  ["Effective March 4, 2019, Ms. Krause became our Chief Financial Officer.", "0F 2019-03-04.."],
  ["On March 4, 2019, Ms. Krause was appointed as Chief Financial Officer.", "0F 2019-03-04.."],
  ["On March 4, 2019, our Board appointed Ms. Krause as our Chief Financial Officer.", "0F 2019-03-04.."],
  [
    "On March 4, 2019, the Board of Directors appointed Ms. Krause to serve as Interim Chief Financial Officer, effective April 1, 2019.",
    "0F 2019-04-01..",
  ],
  ["Ms. Krause joined the Company on March 4, 2019 as Chief Financial Officer.", "0F 2019-03-04.."],
  ["Ms. Krause joined us as Chief Financial Officer on March 4, 2019.", "0F 2019-03-04.."],
  [
    "Ms. Krause joined as our Executive Vice President and Chief Financial Officer in March 2019.",
    "0F 2019-03..",
  ],
  ["Ms. Krause commenced employment as our Chief Financial Officer on March 4, 2019.", "0F 2019-03-04.."],
  ["Ms. Krause commenced serving as Chief Financial Officer on March 4, 2019.", "0F 2019-03-04.."],
  ["Ms. Krause was hired as Chief Financial Officer on March 4, 2019.", "0F 2019-03-04.."],
  ["Ms. Krause began serving as our Chief Financial Officer on March 4, 2019.", "0F 2019-03-04.."],
  ["Ms. Krause began her tenure as Chief Financial Officer on March 4, 2019.", "0F 2019-03-04.."],
  ["Ms. Krause was elected Senior Vice President and Chief Financial Officer in March 2019.", "0F 2019-03.."],
  [
    "Ms. Krause transitioned from Chief Financial Officer to Chief Operating Officer on March 4, 2019.",
    "0F ..2019-03-04",
  ],
  ["Ms. Krause served as our Chief Financial Officer until March 4, 2019.", "0F ..2019-03-04"],
  ["Ms. Krause served as our Chief Financial Officer through March 4, 2019.", "0F ..2019-03-04"],
  ["Ms. Krause ceased serving as our Chief Financial Officer on March 4, 2019.", "0F ..2019-03-04"],
  ["Ms. Krause ceased to be our Chief Financial Officer effective as of March 4, 2019.", "0F ..2019-03-04"],
  ["Ms. Krause resigned as Chief Financial Officer effective March 4, 2019.", "0F ..2019-03-04"],
  ["Ms. Krause resigned from her position as Chief Financial Officer on March 4, 2019.", "0F ..2019-03-04"],
  ["Ms. Krause stepped down as Chief Financial Officer on March 4, 2019.", "0F ..2019-03-04"],
  ["Ms. Krause stepped down from her role as Chief Financial Officer in March 2019.", "0F ..2019-03"],
  ["Ms. Krause retired as our Chief Financial Officer on March 4, 2019.", "0F ..2019-03-04"],
  ["Ms. Krause’s employment as Chief Financial Officer terminated on March 4, 2019.", "0F ..2019-03-04"],
  ["Ms. Krause’s service as Chief Financial Officer ended on March 4, 2019.", "0F ..2019-03-04"],
  ["Ms. Krause’s last day as Chief Financial Officer was March 4, 2019.", "0F ..2019-03-04"],
  [
    "Ms. Krause was our Chief Financial Officer from March 4, 2019 until June 1, 2020.",
    "0F 2019-03-04..2020-06-01",
  ],
  [
    "Ms. Krause served as Interim Chief Financial Officer from March 4, 2019 through June 1, 2020.",
    "0F 2019-03-04..2020-06-01",
  ],
  [
    "From March 4, 2019 to June 1, 2020, Ms. Krause served as our Interim Chief Financial Officer.",
    "0F 2019-03-04..2020-06-01",
  ],
  [
    "Ms. Krause served as Interim Chief Financial Officer between March 4, 2019 and June 1, 2020.",
    "0F 2019-03-04..2020-06-01",
  ],
  [
    "Mr. Santos was succeeded by Ms. Krause as Chief Financial Officer on March 4, 2019.",
    "0F 2019-03-04.. | 1F ..2019-03-04",
  ],
  [
    "Ms. Krause succeeded Mr. Santos as Chief Financial Officer on March 4, 2019.",
    "0F 2019-03-04.. | 1F ..2019-03-04",
  ],
  [
    "Ms. Krause replaced Mr. Santos as Chief Financial Officer effective March 4, 2019.",
    "0F 2019-03-04.. | 1F ..2019-03-04",
  ],
  [
    "On March 4, 2019, Ms. Krause succeeded Mr. Santos as our Chief Financial Officer.",
    "0F 2019-03-04.. | 1F ..2019-03-04",
  ],
  [
    "Mr. Santos served as Chief Financial Officer until March 4, 2019, when he was succeeded by Ms. Krause.",
    "1F ..2019-03-04 | 0F 2019-03-04..",
  ],
  [
    "Mr. Santos resigned as Chief Financial Officer on March 4, 2019 and was succeeded by Ms. Krause.",
    "1F ..2019-03-04 | 0F 2019-03-04..",
  ],
  [
    "Mr. Santos retired as Chief Financial Officer on March 4, 2019, and Ms. Krause was appointed Chief Financial Officer on that date.",
    "1F ..2019-03-04 | 0F 2019-03-04..",
  ],
  [
    "Prior to becoming our Chief Financial Officer on March 4, 2019, Ms. Krause was our Treasurer.",
    "0F 2019-03-04..",
  ],
  [
    "Before her appointment as Chief Financial Officer on March 4, 2019, Ms. Krause served as our Treasurer.",
    "0F 2019-03-04..",
  ],
  [
    "Following her appointment as Chief Financial Officer on March 4, 2019, Ms. Krause’s base salary was increased to $400,000.",
    "0F 2019-03-04..",
  ],
  [
    "In connection with her promotion to Chief Financial Officer in March 2019, Ms. Krause received a one-time grant.",
    "0F 2019-03..",
  ],
  [
    "In connection with Ms. Krause’s appointment as Chief Financial Officer on March 4, 2019, we entered into an offer letter.",
    "0F 2019-03-04..",
  ],
  [
    "Upon his resignation as Chief Financial Officer on March 4, 2019, Mr. Santos received severance.",
    "1F ..2019-03-04",
  ],
  [
    "Ms. Krause was appointed as Chief Financial Officer of the Company effective as of March 4, 2019 after serving as Interim Chief Financial Officer since November 1, 2018.",
    "0F 2018-11-01.. | 0F 2019-03-04.. | 0F 2018-11-01..2019-03-04",
  ],
  ["Ms. Krause has been our Chief Financial Officer since March 2019.", "0F 2019-03.."],
  ["Ms. Krause has been Chief Financial Officer and Treasurer since March 4, 2019.", "0F 2019-03-04.."],
  [
    "Ms. Krause is our Chief Financial Officer, a position she has held since March 4, 2019.",
    "0F 2019-03-04..",
  ],
  ["Ms. Krause, our Chief Financial Officer since March 4, 2019, received a bonus.", "0F 2019-03-04.."],
  [
    "Ms. Krause has served as Chief Financial Officer of the Company since its inception in 2009.",
    "0F 2009..",
  ],
  [
    "Ms. Krause was our Treasurer before becoming Chief Financial Officer on March 4, 2019.",
    "0F 2019-03-04..",
  ],
  [
    "Amounts for 2018 reflect compensation paid to Ms. Krause as Treasurer; she became Chief Financial Officer on March 4, 2019.",
    "0F 2019-03-04..",
  ],
  [
    "Represents Ms. Krause’s pro-rated salary from March 4, 2019, the date she became our Chief Financial Officer.",
    "0F 2019-03-04..",
  ],
  [
    "Reflects salary earned since March 4, 2019, the date on which Ms. Krause joined the Company as Chief Financial Officer.",
    "0F 2019-03-04..",
  ],
  ["Ms. Krause assumed the position of Chief Financial Officer on March 4, 2019.", "0F 2019-03-04.."],
  ["Ms. Krause assumed the duties of principal financial officer on March 4, 2019.", "0F 2019-03-04.."],
  ["Ms. Krause was designated as our principal financial officer on March 4, 2019.", "0F 2019-03-04.."],
  ["Ms. Krause was not our Chief Financial Officer prior to March 4, 2019.", ""],
  ["Ms. Krause reports to Mr. Santos, our Chief Financial Officer, since 2009.", "1F 2009.."],
  ["Ms. Krause was appointed Treasurer by Mr. Santos, our Chief Financial Officer, in March 2019.", ""],
  ["Ms. Krause was appointed Treasurer, reporting to our Chief Financial Officer, in March 2019.", ""],
  ["Ms. Krause was promoted to Senior Vice President by our Chief Executive Officer in March 2019.", ""],
  ["Ms. Krause joined Foo Corp. in 2009 and became its Chief Financial Officer in March 2011.", ""],
  ["Ms. Krause previously served as Chief Financial Officer of Foo Corp. from 2009 to 2013.", ""],
  ["Prior to joining us, Ms. Krause served as Chief Financial Officer from March 2009 to May 2013.", ""],
  [
    "Ms. Krause, who previously worked at Foo, served as Chief Financial Officer from March 2009 to May 2013.",
    "",
  ],
  [
    "Under her employment agreement, Ms. Krause was appointed Chief Financial Officer effective March 4, 2019, for a term of three years.",
    "",
  ],
  [
    "Ms. Krause, previously at Foo, was appointed Chief Financial Officer on March 4, 2019 to succeed Mr. Dale.",
    "0F 2019-03-04..",
  ],
  [
    "Ms. Krause, previously at Foo, was appointed Chief Financial Officer on March 4, 2019 to lead day-to-day work.",
    "0F 2019-03-04..",
  ],
  ["Ms. Krause was appointed Chief Financial Officer and Treasurer on March 4, 2019, respectively.", ""],
  ["It was announced that Ms. Krause was appointed Chief Financial Officer on March 4, 2019.", ""],
  ["Ms. Krause was told that she would be appointed Chief Financial Officer on March 4, 2019.", ""],
  ["Prior to joining us, Ms. Krause was Chief Financial Officer of Foo Corp. until March 2019.", ""],
  ["Ms. Krause has been a director of Foo Corp., where she was Chief Financial Officer until 2013.", ""],
  [
    "Ms. Krause was appointed Chief Operating Officer in March 2019, having served as Chief Financial Officer since 2009.",
    "0F 2009.. | 0F 2009..2019-03",
  ],
  [
    "Mr. Santos, who served as our Chief Executive Officer until March 4, 2019, and Ms. Krause, who became our Chief Executive Officer on March 5, 2019, are both included.",
    "1P ..2019-03-04 | 0P 2019-03-05..",
  ],
  [
    "Ms. Krause became Chief Executive Officer on March 4, 2019, and before that was Chief Financial Officer.",
    "0P 2019-03-04..",
  ],
  [
    "Ms. Krause was promoted from Chief Financial Officer to Chief Executive Officer effective March 4, 2019.",
    "0P 2019-03-04.. | 0F ..2019-03-04",
  ],
  [
    "Ms. Krause’s title changed from Chief Financial Officer to Chief Operating Officer effective March 4, 2019.",
    "0F ..2019-03-04",
  ],
  [
    "Effective March 4, 2019, Ms. Krause transitioned from the role of Chief Financial Officer to Senior Advisor.",
    "0F ..2019-03-04",
  ],
  [
    "Ms. Krause was appointed President in 2017 and Chief Executive Officer effective March 4, 2019.",
    "0P 2019-03-04..",
  ],
  [
    "Ms. Krause was appointed Chief Operating Officer in 2017 and Co-Chief Executive Officer on March 4, 2019.",
    "0P 2019-03-04..",
  ],
  [
    "Ms. Krause has served as our President since 2017 and our Chief Executive Officer since March 4, 2019.",
    "0P 2019-03-04..",
  ],
  [
    "Ms. Krause was appointed to the Board in 2009 and has served as Chief Executive Officer since March 4, 2019.",
    "0P 2019-03-04..",
  ],
  [
    "Ms. Krause was Chief Financial Officer until she was promoted to President on March 4, 2019.",
    "0F ..2019-03-04",
  ],
  [
    "Effective March 4, 2019, Ms. Krause was promoted from Controller to Chief Financial Officer.",
    "0F 2019-03-04..",
  ],
  [
    "Ms. Krause transitioned from Chief Accounting Officer to Chief Financial Officer in March 2019.",
    "0F 2019-03..",
  ],
  [
    "Prior to her appointment as Chief Financial Officer in March 2019, Ms. Krause served as Treasurer.",
    "0F 2019-03..",
  ],
  [
    "Ms. Krause’s employment as our Chief Financial Officer began on March 4, 2019; she was Treasurer until then.",
    "0F 2019-03-04..",
  ],
  [
    "Mr. Santos retired as Chief Executive Officer on March 4, 2019 and Ms. Krause was appointed as his successor on that date.",
    "1P ..2019-03-04 | 0P 2019-03-04..",
  ],
  [
    "Effective March 4, 2019, Gabriel Santos transitioned from Chief Executive Officer to Executive Chair and Bettina Krause, previously Chief Operating Officer, became Chief Executive Officer.",
    "1P ..2019-03-04 | 0P 2019-03-04..",
  ],
  [
    "Gabriel Santos served as our PEO from January 1, 2015 through March 4, 2019, and Bettina Krause has served as our PEO since March 5, 2019.",
    "1P 2015-01-01..2019-03-04 | 0P 2019-03-05..",
  ],
  ["Ms. Krause (First PEO) has served as our PEO since March 5, 2019.", "0P 2019-03-05.."],
  ["Mr. Santos (Second PEO) served as our PEO for 2018 and through March 4, 2019.", "1P ..2019-03-04"],
  // A label beside a name, as in notes to pay versus performance, is no office that the sentence dates.
  ["Mr. Santos (our First PEO) served as a director until June 30, 2020.", ""],
  ["Mr. Santos (“PEO 1”) served as Executive Chairman until June 30, 2020.", ""],
  [
    "Ms. Krause served as Vice President, Operations until March 4, 2019, when she succeeded Mr. Dale as Chief Financial Officer.",
    "0F 2019-03-04..",
  ],
  [
    "BETTINA KRAUSE, 47, Chief Financial Officer since March 2019; Controller, 2008 to March 2019.",
    "0F 2019-03..",
  ],
  ["Bettina Krause — Chief Financial Officer since 2019.", "0F 2019.."],
  [
    "Bettina Krause 66 Chairman since 2001; Chief Executive Officer from 2001 to March 2019",
    "0P 2001..2019-03",
  ],
  [
    "Effective January 1, 2019, Mr. Santos, who had served as our Chief Financial Officer since 2008, became our Chief Executive Officer, and Ms. Krause became our Chief Financial Officer.",
    "1F 2008.. | 1F 2008..2019-01-01 | 1P 2019-01-01.. | 0F 2019-01-01..",
  ],
  [
    "Mr. Santos has served as Executive Chairman since July 2019, prior to which he was Chairman and Chief Executive Officer.",
    "1P ..2019-07",
  ],
  [
    "The Board appointed Ms. Krause, then Chief Operating Officer, as successor to Mr. Santos in the position of Chief Executive Officer, effective April 1, 2019.",
    "0P 2019-04-01.. | 1P ..2019-04-01",
  ],
  [
    "Mr. Santos served as Chief Financial Officer until his promotion to Chief Executive Officer on January 1, 2019, when Ms. Krause was promoted from Controller to Chief Financial Officer.",
    "1F ..2019-01-01 | 1P 2019-01-01.. | 0F 2019-01-01..",
  ],
  [
    "On September 18, 2019, Ms. Krause and Mr. Santos were each appointed Chief Executive Officer.",
    "0P 2019-09-18.. | 1P 2019-09-18..",
  ],
  ["Mr. Santos was elected Chairman in addition to Chief Executive Officer on June 1, 2019.", ""],
  ["Ms. Krause became eligible for the Chief Financial Officer bonus plan in 2019.", ""],
  [
    "Mr. Santos handed over the role of Chief Executive Officer to Ms. Krause on July 1, 2019.",
    "1P ..2019-07-01 | 0P 2019-07-01..",
  ],
  ["Bettina Krause (53) – Chief Executive Officer since April 2019", "0P 2019-04.."],
  ["Ms. Krause, reporting to our Chief Financial Officer since 2009, left in March 2019.", ""],
  [
    "Ms. Krause, previously our Treasurer, became Chief Financial Officer on March 4, 2019.",
    "0F 2019-03-04..",
  ],
  [
    "Ms. Krause (“PEO 2”), who began serving as a member of the Office of the CEO and as our PEO on March 4, 2019.",
    "0P 2019-03-04..",
  ],
  ["Ms. Krause, since March 4, 2019, is serving as our Chief Financial Officer.", "0F 2019-03-04.."],
  [
    "Ms. Krause has served as acting Chief Financial Officer since the departure of the former Chief Financial Officer in March 2019.",
    "0F 2019-03..",
  ],
  ["Since March 4, 2019, Ms. Krause has served as our Chief Financial Officer.", "0F 2019-03-04.."],
  ["On March 4, 2019, Mr. Santos resigned as our Chief Financial Officer.", "1F ..2019-03-04"],
  [
    "Ms. Krause has been our Treasurer since 2009 and principal accounting and finance officer since March 2019.",
    "0F 2019-03..",
  ],
  [
    "Ms. Krause has served as our principal executive and financial officer since March 4, 2019.",
    "0P 2019-03-04.. | 0F 2019-03-04..",
  ],
  ["Ms. Krause was appointed Chief Financial Officer, North America, on March 4, 2019.", ""],
  ["Ms. Krause was appointed Chief Financial Officer, Retail Division and Wholesale, on March 4, 2019.", ""],
  ["Ms. Krause became chief of staff to our Chief Financial Officer in March 2019.", ""],
  ["Ms. Krause became Acme’s Chief Financial Officer in March 2019.", ""],
  ["Ms. Krause was appointed Deputy Chief Financial Officer in March 2019.", ""],
  ["Ms. Krause was named Chief Financial Officer-elect in March 2019.", ""],
  ["Ms. Krause became Chief Financial Officer of our largest subsidiary in March 2019.", ""],
  [
    "Ms. Krause served as Chief Executive Officer and sole Board member of Vision Global Solutions, Inc. until March 2019.",
    "",
  ],
  ["Ms. Krause has been in the Office of the Chief Executive Officer since March 2019.", ""],
  [
    "Ms. Krause was appointed Chief Executive Officer of a privately held software company in March 2019.",
    "",
  ],
  ["Ms. Krause served as Chief Executive Officer of our former parent from 2009 to March 2019.", ""],
  ["On March 4, 2019, Ms. Krause became sole Chief Executive Officer.", ""],
  ["Mr. Santos, our former Chief Financial Officer, left the Company on March 4, 2019.", "1F ..2019-03-04"],
  ["Mr. Santos, our Chief Financial Officer, retired from the Board on March 4, 2019.", ""],
  ["Ms. Krause was elevated to Chief Financial Officer on March 4, 2019.", "0F 2019-03-04.."],
  ["Ms. Krause took office as Chief Financial Officer on March 4, 2019.", "0F 2019-03-04.."],
  ["Our Board named Ms. Krause Chief Financial Officer effective March 4, 2019.", "0F 2019-03-04.."],
  ["From March 4, 2019, Ms. Krause has acted as Chief Financial Officer.", "0F 2019-03-04.."],
  ["Mr. Santos’s term as Chief Financial Officer came to an end on March 4, 2019.", "1F ..2019-03-04"],
  [
    "Mr. Santos was replaced as Chief Financial Officer by Ms. Krause on March 4, 2019.",
    "0F 2019-03-04.. | 1F ..2019-03-04",
  ],
  [
    "Following Mr. Santos’s resignation as Chief Financial Officer on March 4, 2019, Ms. Krause was appointed.",
    "1F ..2019-03-04",
  ],
  [
    "Ms. Krause became Chief Financial Officer on March 4, 2019 following the resignation of Mr. Santos.",
    "0F 2019-03-04.. | 1F ..2019-03-04",
  ],
  [
    "Ms. Krause was promoted to Chief Financial Officer on March 4, 2019 upon Mr. Santos’s retirement.",
    "0F 2019-03-04.. | 1F ..2019-03-04",
  ],
  [
    "On March 4, 2019, the Board appointed Ms. Krause as Chief Financial Officer, replacing Mr. Santos.",
    "0F 2019-03-04.. | 1F ..2019-03-04",
  ],
  [
    "Our Board elected Ms. Krause to the office of Chief Financial Officer on March 4, 2019, to succeed Mr. Santos.",
    "0F 2019-03-04.. | 1F ..2019-03-04",
  ],
  [
    "Ms. Krause assumed the Chief Financial Officer role from Mr. Santos on March 4, 2019.",
    "0F 2019-03-04.. | 1F ..2019-03-04",
  ],
  ["Ms. Krause was named to the CFO Hall of Fame in March 2019.", ""],
  ["Ms. Krause served on the CFO search committee until March 2019.", ""],
  ["Ms. Krause has served as CFO – Retail Region since March 2019.", ""],
  [
    "Ms. Krause was promoted from Chief Financial Officer to Chief Operating Officer effective March 4, 2019.",
    "0F ..2019-03-04",
  ],
  ["Until March 2019, Ms. Krause also served as our Chief Financial Officer.", "0F ..2019-03"],
  [
    "Ms. Krause, our Chief Operating Officer since March 2019 and previously our Chief Financial Officer, received a bonus.",
    "0F ..2019-03",
  ],
  [
    "Mr. Santos stepped down as Chief Financial Officer and was succeeded by Ms. Krause effective March 4, 2019.",
    "1F ..2019-03-04 | 0F 2019-03-04..",
  ],
  [
    "Prior to his appointment as Chief Operating Officer in March 2019, Mr. Santos served as our Chief Financial Officer.",
    "1F ..2019-03",
  ],

  ["Ms. Krause was named Chief Executive Officer, Foo Medical, on March 4, 2019.", ""],
  [
    "Ms. Krause held several positions with Foo, most recently as Chief Financial Officer from 2009 to 2012.",
    "",
  ],
  [
    "Ms. Krause has been a director of Foo since 2009 and its interim Chief Executive Officer since 2012.",
    "",
  ],
  ["Ms. Krause was appointed as Deputy to the Chief Executive Officer on March 4, 2019.", ""],
  ["Ms. Krause has been principal executive officer of our Canadian operations since 2009.", ""],
  ["Ms. Krause’s employment agreement as Chief Financial Officer became effective on March 4, 2019.", ""],
  ["Ms. Krause was a partner of CFO Advisors LLC until March 2019.", ""],
  ["Ms. Krause joined us from Foo, where, from 2009 to 2012, she served as Chief Financial Officer.", ""],
  ["Ms. Krause co-founded Foo Labs and served as its Chief Executive Officer until March 2019.", ""],
  ["Ms. Krause spent years at Foo, most recently as its Chief Financial Officer from 2009 until 2012.", ""],
  [
    "The Board of Directors appointed Ms. Krause as its Chief Financial Officer in March 2019.",
    "0F 2019-03..",
  ],
  ["Ms. Krause ceased serving as chief executive officer of our Consumer segment on March 4, 2019.", ""],
  [
    "We named Ms. Krause as a participant in the plan administered by the Chief Financial Officer on March 4, 2019.",
    "",
  ],
  [
    "Ms. Krause was appointed Co-Chief Executive Officer alongside Mr. Santos effective March 4, 2019.",
    "0P 2019-03-04..",
  ],
  [
    "Ms. Krause has been Controller since 2009 and Chief Financial Officer of the Company since March 4, 2019, when Mr. Santos retired as Chief Financial Officer.",
    "0F 2019-03-04.. | 1F ..2019-03-04",
  ],
  ["Ms. Krause was re-elected Chief Executive Officer in March 2019.", ""],
  ["Ms. Krause began participating in the plan for the Chief Executive Officer in March 2019.", ""],
  ["Until March 4, 2019, Mr. Santos served as Chair and Chief Financial Officer.", "1F ..2019-03-04"],
  ["Prior to March 4, 2019, Mr. Santos was our Chief Financial Officer.", "1F ..2019-03-04"],
  [
    "Ms. Krause was appointed Chief Financial Officer effective June 1, 2019, succeeding Mr. Santos, who had served as Interim Chief Financial Officer since March 4, 2019.",
    "0F 2019-06-01.. | 1F 2019-03-04..",
  ],
  [
    "Mr. Roe departed as Chief Financial Officer on March 4, 2019 and was replaced on an interim basis by Ms. Krause.",
    "0F 2019-03-04..",
  ],
  [
    "Ms. Krause assumed the role of Chief Financial Officer on an interim basis upon Mr. Roe’s departure on March 4, 2019.",
    "0F 2019-03-04..",
  ],
  [
    "On March 4, 2019, following Mr. Roe’s resignation as Chief Financial Officer, the Board appointed Ms. Krause as interim Chief Financial Officer.",
    "0F 2019-03-04..",
  ],
  [
    "Prior to August 2018, Mr. Santos was compensated under our policy for directors and received no other pay while serving as Chief Executive Officer.",
    "",
  ],
  ["Mr. Santos served as Chief Financial Officer until his death on March 4, 2019.", "1F ..2019-03-04"],
  [
    "Mr. Santos, our Chief Financial Officer since 2009, passed away on March 4, 2019.",
    "1F 2009.. | 1F ..2019-03-04",
  ],
  [
    "Ms. Krause, who had served as Chief Financial Officer since 2009, was promoted to Chief Executive Officer on March 4, 2019.",
    "0F 2009..2019-03-04 | 0F 2009.. | 0P 2019-03-04..",
  ],
  [
    "On March 4, 2019, Ms. Krause, our Chief Financial Officer since 2009, was promoted to Chief Executive Officer.",
    "0F 2009..2019-03-04 | 0F 2009.. | 0P 2019-03-04..",
  ],
  [
    "Ms. Krause succeeded her father, Mr. Santos, as Chief Financial Officer on March 4, 2019.",
    "0F 2019-03-04.. | 1F ..2019-03-04",
  ],
  [
    "Ms. Krause was Interim Chief Financial Officer from June 2017 until August 2017 and from March 4, 2019 until June 1, 2019.",
    "0F 2017-06..2017-08 | 0F 2019-03-04..2019-06-01",
  ],
  [
    "Ms. Krause became an officer of the Company effective March 4, 2019.",
    "not 0P ..2019-03-03 | not 0F ..2019-03-03",
  ],
  [
    "Ms. Krause has served as an executive officer since March 4, 2019.",
    "not 0P ..2019-03-03 | not 0F ..2019-03-03",
  ],
];

/** Titles at Acme Energy, Inc., and the offices that they name. */
export const TITLES: readonly (readonly [title: string, offices: string])[] = [
  ["CFO & Treasurer, ComEd", ""],
  ["CEO and President of the Bank", ""],
  ["CEO and President, North America", "PEO"],
  ["Chairman and CEO", "PEO"],
  ["President & Chief Executive Officer", "PEO"],
  ["Chief Exec. Officer", "PEO"],
  ["Interim Co-Chief Executive Officer", "PEO"],
  ["Chief Executive Officer and Chief Financial Officer", "PEO PFO"],
  ["CEO/CFO", "PEO PFO"],
  ["CFO/CEO", "PEO PFO"],
  ["President, PEO and PFO", "PEO PFO"],
  ["Principal Executive Officer and Principal Financial Officer", "PEO PFO"],
  ["Principal Executive and Financial Officer", "PEO PFO"],
  ["Principal Accounting and Finance Officer", "PFO"],
  ["Executive Vice President, CFO, & Head of Corp Strategy", "PFO"],
  ["Chief Financial Officer and Executive Vice President, Development", "PFO"],
  ["Chief Financial and Administrative Officer", "PFO"],
  ["Chief Accounting and Financial Officer", "PFO"],
  ["Finance Director", "PFO"],
  ["Chief Financial, Treasurer", "PFO"],
  ["Chief Executive Officer of Acme Energy", "PEO"],
  ["CEO, Acme Energy, Inc.", "PEO"],
  ["Former Senior Vice President, Chief Financial Officer", "former PFO"],
  ["Former EVP & COO and current Chief Executive Officer", "PEO"],
  ["Chief Executive Officer (until June 30, 2023)", "former PEO"],
  ["CEO, AWM", ""],
  ["Co-CEO, CIB", ""],
  ["CEO, NA", ""],
  ["Gillette CEO", ""],
  ["President and CEO, Acme Energy Resources", ""],
  ["Chief Executive Officer, International", ""],
  ["Executive Vice President, Chief Executive Officer, General Insurance", ""],
  ["Chief of Staff to the CEO", ""],
  ["Office of the CEO, President and Chief Executive Officer of Studios", ""],
  ["Group CEO – Acme Consumer", ""],
  ["Deputy Chief Financial Officer", ""],
  ["CFO, Americas", ""],
  ["Chief Operating Officer", ""],
  ["Chief Accounting Officer", ""],
  // Words right before an office that make it no division's.
  ...(
    "The|Our|Then|Also|Current|New|Permanent|Sole|Interim|Acting|Co|Principal|Global|Group|Company|Corporate|" +
    "President/|Chairman/|Chair/|Chairwoman/|Chairperson/|Executive Vice President/|Senior Vice President/|Founder/|" +
    "Cofounder/|Co-Founder/|Founding|Director/|Managing Member/|Secretary/|Treasurer/|V.P./|VP/|EVP/|SVP/|CEO/|COO/"
  )
    .split("|")
    .map((word) => [`${word} CFO`, word === "CEO/" ? "PEO PFO" : "PFO"] as const),
  ...["Former", "Formerly", "Retired", "Prior", "Past", "Previous", "Outgoing", "Departed", "Ex"].map(
    (word) => [`${word} CFO`, "former PFO"] as const,
  ),
  // What may follow an office and a comma without being a division.
  ...(
    "President|Chairman|Chief of Staff|COO|Director|Board Chair|Member of the Board|Secretary|Sec. and Director|Treasurer|" +
    "Treas.|Vice Chair|Executive Chair|Senior Vice President|EVP|SVP|VP|AVP|Interim President|Acting President|" +
    "Former Treasurer|Corporate Secretary|Sole Director|Assistant Secretary|Founder|Co-Founder|Controller|" +
    "Counsel|Partner|Trustee|Managing Partner|Employee|Consultant|Operating Partner|Administrator|Advisor|" +
    "Technoking|Pres.|Head of Strategy|Co-Head of Mining|Ex-Treasurer|Principal Accounting Officer|General Counsel|" +
    "Owner|Hired 2019|Hire Date: 2019|Appointed 2019|Elected 2019|Promoted 2019|Started 5/2019|Joined 2019|Began 2019|" +
    "Retiring 2025|Age 54|Part-time|Full time|" +
    "Group President|effective 2023|since 2023|as of May 1|2023|May 2023|Inc.|LLC|Ltd.|Corp.|Jr.|Sr."
  )
    .split("|")
    .map((next) => [`CEO, ${next}`, "PEO"] as const),
  ["CEO … Hired 2019", "PEO"],
  ["Chief Executive Officer Hired 2019", "PEO"],
  ["CEO/Owner", "PEO"],
  ["CEO’s Assistant", ""],
  ["CEO and Geologist", "PEO"],
  ["Chief Executive Officer and Chief Investment Officer of GLF", ""],
  ["CFO and Chief Accounting Officer of the Company", "PFO"],
  ["CEO and Chairman of Gulf Bank", ""],
  ["CEO and Chairman of the Board", "PEO"],
  ["CEO and Chair of the Finance Committee", "PEO"],
  ["CEO Acme Energy", "PEO"],
  ["CEO Walmart", ""],
  ["CEO, PFO", "PEO PFO"],
  ["CFO, PEO", "PEO PFO"],
  ["CFO, through 2023", "former PFO"],
  ["Chief Financial Officer, from May 2023", "PFO"],
  ["CEO (until 2023)", "former PEO"],
  ["CEO, Retired", "former PEO"],
  ["CEO (Former)", "former PEO"],
  ["CEO (to 4/15/24)", "former PEO"],
  ["Late Chief Executive Officer", "former PEO"],
  ["Chief Executive Officer (deceased)", "former PEO"],
  ["Vice Chief Executive Officer", ""],
  ["Wife of our CEO", ""],
  ["Son of CEO", ""],
];

/** Titles at other companies, and whether they name the principal financial officer. */
export const COMPANY_TITLES: readonly (readonly [title: string, company: string, isPfo: boolean])[] = [
  ["EVP and CFO, PG&E Corporation", "PG&E Corp", true],
  ["EVP and CFO, Pacific Gas and Electric Company", "PG&E Corp", false],
  ["CFO of GE", "General Electric Company", true],
  ["CFO of GM", "General Electric Company", false],
  ["CFO of AI", "Acme, Inc.", false],
  ["CFO of Goldman", "GoldmanSachs Group, Inc.", true],
  ["CFO of Gol", "GoldmanSachs Group, Inc.", false],
  ["CFO, International Paper", "INTERNATIONAL PAPER CO /NEW/", true],
  ["CFO, A. O. Smith Corporation", "A. O. Smith Corp", true],
  ["CFO, McDonald’s Corporation", "MCDONALDS CORP", true],
  ["CFO, Global Payments", "GLOBAL PAYMENTS INC", true],
  ["CFO, NextEra Energy Resources", "NEXTERA ENERGY INC", false],
  ["CFO, Principal Asset Management", "PRINCIPAL FINANCIAL GROUP INC", false],
  ["CFO, Advisory Services", "CBRE GROUP, INC.", false],
];

/** Titles that stand for an office where nobody has it. */
export const FALLBACKS: readonly (readonly [title: string, office: "peo" | "pfo"])[] = [
  ["Chairman and President", "peo"],
  ["President and Treasurer", "peo"],
  ["Sole Officer and Director", "peo"],
  ["Managing Member", "peo"],
  ["General Partner", "peo"],
  ["Treasurer", "pfo"],
  ["Vice President of Finance", "pfo"],
  ["Principal Accounting Officer", "pfo"],
  ["Vice President and Financial Officer", "pfo"],
  ["Controller", "pfo"],
  ["Sole Officer", "pfo"],
];

/** Sentences about Ms. Krause and Mr. Santos of a table, and whom they make principal officer. */
export const DESIGNATED: readonly (readonly [sentence: string, offices: string])[] = [
  ["Ms. Krause, our principal executive officer, met the committee.", "0P"],
  ["Ms. Krause, who is our principal executive and financial officer, met the committee.", "0P 0F"],
  [
    "We paid our principal executive officer, Bettina Krause, and our principal financial officer, Gabriel Santos, a bonus.",
    "0P 1F",
  ],
  ["The Board designated Mr. Santos as interim principal executive officer.", "1P"],
  ["Mr. Santos was designated as our principal financial officer.", "1F"],
  ["Ms. Krause is our principal accounting and finance officer.", "0F"],
  ["Ms. Krause is considered to be the principal executive officer.", "0P"],
  ["Ms. Krause has been performing the functions of our principal executive officer.", "0P"],
  ["Ms. Krause, Office of the Chief Executive Officer (and principal executive officer)", "0P"],
  ["Ms. Krause is our principal accounting officer.", ""],
  ["/s/ Bettina Krause, our principal executive officer", ""],
  ["Pursuant to the requirements of the Act, signed by Bettina Krause, our principal executive officer", ""],
  ["By Ann Example, Attorney-in-Fact for Bettina Krause, our principal executive officer", ""],
];

/** Lists and signatures, and whom they name with an office. */
export const LISTED: readonly (readonly [text: string, offices: string])[] = [
  ["Bettina Krause (Principal Executive Officer) March 1, 2019", "0P"],
  ["Bettina Krause 64 President, Chief Executive Officer and Chief Financial Officer", "0P 0F"],
  ["Bettina Krause 64 Chief Executive Officer’s Assistant", ""],
  [
    "/s/ Bettina Krause Bettina Krause, President, Chief Executive Officer , Chief Financial Officer Pursuant to",
    "0P 0F",
  ],
  ["Our principal financial officer is Gabriel Santos.", "1F"],
  ["Bettina Krause (Principal Executive Officer and Principal Financial and Accounting Officer)", "0P 0F"],
  ["Gabriel Santos met our principal executive officer, Bettina Krause, today.", "0P"],
  ["Bettina Krause, Chief Operating Officer Chief Financial Officer", "0F"],
  ["Bettina Krause left. The principal executive officer met the committee.", ""],
  // A name outside the table ends the titles of the one before.
  ["Bettina Krause, President and CEO Mandy Yang Executive Vice President and CFO", ""],
  ["Gabriel Santos 51 Chief Operating Officer Mandy Yang 44 Chief Financial Officer", ""],
  ["Bettina Krause, President, CEO, CFO and Director Larry Hopfen", "0P 0F"],
  // Titles may stand before names.
  ["Chief Executive Officer Bettina Krause Chief Financial Officer Mandy Yang", ""],
];
