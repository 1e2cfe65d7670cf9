/** EDGAR's codes for the states and countries of business addresses. */

/** @see https://www.sec.gov/submit-filings/filer-support-resources/edgar-state-country-codes */
const STATES =
  "AL Alabama,AK Alaska,AZ Arizona,AR Arkansas,CA California,CO Colorado,CT Connecticut,DE Delaware,DC District of Columbia," +
  "FL Florida,GA Georgia,HI Hawaii,ID Idaho,IL Illinois,IN Indiana,IA Iowa,KS Kansas,KY Kentucky,LA Louisiana,ME Maine," +
  "MD Maryland,MA Massachusetts,MI Michigan,MN Minnesota,MS Mississippi,MO Missouri,MT Montana,NE Nebraska,NV Nevada," +
  "NH New Hampshire,NJ New Jersey,NM New Mexico,NY New York,NC North Carolina,ND North Dakota,OH Ohio,OK Oklahoma,OR Oregon," +
  "PA Pennsylvania,PR Puerto Rico,RI Rhode Island,SC South Carolina,SD South Dakota,TN Tennessee,TX Texas,UT Utah,VT Vermont," +
  "VA Virginia,WA Washington,WV West Virginia,WI Wisconsin,WY Wyoming";
const COUNTRIES =
  "A0 Alberta,A1 British Columbia,A2 Manitoba,A3 New Brunswick,A4 Newfoundland,A5 Nova Scotia,A6 Ontario," +
  "A7 Prince Edward Island,A8 Quebec,A9 Saskatchewan,Z4 Canada,C1 Argentina,C3 Australia,C4 Austria,C5 Bahamas,C9 Belgium," +
  "D0 Bermuda,D5 Brazil,D8 British Virgin Islands,E9 Cayman Islands,F3 Chile,F4 China,F8 Colombia,G2 Costa Rica,G4 Cyprus," +
  "G7 Denmark,H9 Finland,I0 France,2M Germany,J1 Gibraltar,J3 Greece,Y7 Guernsey,K3 Hong Kong,K7 India,K8 Indonesia,L2 Ireland," +
  "Y8 Isle of Man,L3 Israel,L6 Italy,M0 Japan,Y9 Jersey,M2 Jordan,1P Kazakhstan,N4 Luxembourg,N5 Macau,N8 Malaysia,O5 Mexico," +
  "O9 Monaco,P7 Netherlands,Q2 New Zealand,Q8 Norway,R1 Panama,R5 Peru,S1 Portugal,U0 Singapore,T3 South Africa,M5 South Korea," +
  "U3 Spain,V7 Sweden,V8 Switzerland,F5 Taiwan,W1 Thailand,W8 Turkey,C0 United Arab Emirates,X0 United Kingdom," +
  "X1 United States,X3 Uruguay";

function byCode(list: string): ReadonlyMap<string, string> {
  return new Map(list.split(",").map((line) => [line.slice(0, 2), line.slice(3)]));
}

/** The states of the United States with their codes. */
export const US_STATES = byCode(STATES);
const NAMES = new Map([...US_STATES, ...byCode(COUNTRIES)]);

/** The state or country of a code; the code itself where it has no name here. */
export function stateName(code: string): string {
  return NAMES.get(code.toUpperCase()) ?? code;
}
