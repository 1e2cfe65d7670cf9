import { describe, expect, test } from "bun:test";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { command, type Io, UsageError } from "../../src/cli/command.ts";
import { helpPage, usageLine } from "../../src/cli/help.ts";
import { parseLine } from "../../src/cli/parse-line.ts";
import { COMMAND_NAMES, loadCommand } from "../../src/cli/registry.ts";
import { flagOf, SETTING_GROUPS, SETTING_NAMES } from "../../src/config/settings.ts";
import { OperatorError } from "../../src/errors.ts";
import { cli } from "../support/cli.ts";

const sample = command({
  name: "sample",
  summary: "A command to try the parser on.",
  operands: [
    { name: "ONE", about: "Needed." },
    { name: "TWO", about: "Not needed.", optional: true },
  ],
  flags: {
    years: { value: "N", about: "How many." },
    format: { value: "table|json", about: "How.", choices: ["table", "json"] },
    user: { value: "EMAIL", about: "Who.", required: true },
    dryRun: { about: "Only say what would be done." },
  },
  settings: ["port"],
  examples: [["sample x --user a@b.c", "It."]],
  run: async () => 0,
});
const read = (words: string[], environment: Record<string, string> = {}) =>
  parseLine(sample, words, ["sample", "show"], environment);
const refusal = (words: string[], environment: Record<string, string> = {}) => {
  try {
    read(words, environment);
  } catch (error) {
    if (error instanceof UsageError || error instanceof OperatorError) return error.message;
    throw error;
  }
  return undefined;
};
function configFile(text: string): string {
  const file = join(mkdtempSync(join(tmpdir(), "execcomp-test-")), "config.toml");
  writeFileSync(file, text);
  return file;
}

describe("a command line", () => {
  test("passes flags, arguments and settings to the command", () => {
    const line = read(["x", "--user", "a@b.c", "--dry-run", "--port", "1", "--data-dir=/d", "--json", "y"]);
    expect(line.given).toEqual({
      operands: ["x", "y"],
      flags: { years: undefined, format: undefined, user: "a@b.c", dryRun: true },
    });
    expect(line.loaded.config.port).toBe(1);
    expect(line.loaded.config.dataDir).toBe("/d");
    expect(line.loaded.origins.port.origin).toBe("flag");
    expect(line.json).toBe(true);
  });

  test("reads a flag of the command from the environment, overridden by the command line", () => {
    expect(
      read(["x"], { EXECCOMP_SAMPLE_USER: "env@b.c", EXECCOMP_SAMPLE_DRY_RUN: "true" }).given.flags,
    ).toMatchObject({
      user: "env@b.c",
      dryRun: true,
    });
    expect(read(["x", "--user", "a@b.c"], { EXECCOMP_SAMPLE_USER: "env@b.c" }).given.flags["user"]).toBe(
      "a@b.c",
    );
  });

  test("reads settings and the command's own table from the file, overridden by the environment", () => {
    const config = configFile('port = 9\n[sample]\nuser = "file@b.c"\nyears = 2\n[show]\nformat = "md"\n');
    const line = read(["x", "--config", config], { EXECCOMP_SAMPLE_YEARS: "3" });
    expect(line.given.flags).toMatchObject({ user: "file@b.c", years: "3" });
    expect(line.loaded.config.port).toBe(9);
  });

  test.each([
    [["x", "--user", "u", "--yeers", "2"], /Unknown flag --yeers\. Did you mean --years\?/],
    [["x", "--user", "u", "--dry"], /Unknown flag --dry\. Did you mean --dry-run\?/],
    [["--one", "x", "--user", "u"], /Unknown flag --one: sample takes ONE without a flag\./],
    [["x", "--user", "u", "--frobnicate"], /Unknown flag --frobnicate\. See: execcomp help sample/],
    [
      ["x", "--user", "u", "--host", "h"],
      /"sample" does not accept --host, which is a setting of other commands/,
    ],
    [["x", "--user", "u", "-t"], /Unknown flag -t\. See: execcomp help sample/],
    [["x", "--user", "u", "--years"], /--years needs a value/],
    [["x", "--user", "u", "--years", "--json"], /--years needs a value/],
    [["x", "--user", "u", "--years", "1", "--years", "2"], /--years was given twice/],
    [["x", "--user", "u", "--dry-run=maybe"], /--dry-run is a switch and takes no value: "maybe"/],
    [["x", "--user", "u", "--format", "tabel"], /"tabel": expected table, json\. Did you mean "table"\?/],
    [["x"], /--user EMAIL is missing/],
    [["--user", "u"], /ONE is missing: Needed\./],
    [["x", "y", "z", "--user", "u"], /Unexpected argument "z": sample takes ONE TWO\./],
    [["x", "--user", "u", "--port", "70000"], /--port "70000": expected a whole number from 0 to 65535/],
  ])("refuses %j", (words, told) => {
    expect(refusal(words)).toMatch(told);
  });

  test("names the variable if the environment is wrong", () => {
    expect(refusal(["x", "--user", "u"], { EXECCOMP_PORT: "x" })).toMatch(/EXECCOMP_PORT "x": expected/);
  });

  test.each([
    ["prot = 1", /Unknown setting "prot" in .*config\.toml\. Did you mean port\?/],
    ["[sampel]\nuser = 'u'", /Unknown table "sampel" .* Did you mean sample\?/],
    ["[sample]\nuzer = 'u'", /Unknown flag "uzer" of "sample" .* Did you mean user\?/],
    ["port =", /Cannot read the configuration file \S+config\.toml, line 1: /],
    [
      'port = 8080\nallow-origin = [\n  "https://a.example",\n]\nfoo bar\n\n[sample]\n',
      /, line 5: Expected '=' after a key but found 'b'\.$/,
    ],
    ['port = 8080\ncontact = "x\nhost = "y"\n', /, line 2: Unterminated string/],
    [
      "[sample]\nport = 9",
      /"port" in .*config\.toml is a setting, not a flag of "sample": move it above the first \[table\]/,
    ],
    [
      "[sample]\nformat = 'xml'",
      /Cannot read format of \[sample\] in the configuration file "xml": expected table, json/,
    ],
    ["port = 'nine'", /Cannot read port "nine": expected a whole number .* \(in \S+config\.toml\)\.$/],
  ])("refuses a file with %j", (text, told) => {
    expect(refusal(["x", "--user", "u", "--config", configFile(text)])).toMatch(told);
  });

  test("is not checked for completeness when help is requested", () => {
    expect(read(["--help"]).help).toBe(true);
    expect(read(["-h", "--port", "nonsense"]).help).toBe(true);
  });
});

describe("the program", () => {
  test("refuses an unknown command with the nearest one, exit 2, and prints nothing", async () => {
    const ran = await cli("verison");
    expect(ran).toMatchObject({ code: 2, out: "" });
    expect(ran.err).toBe('Unknown command "verison". Did you mean "version"? See: execcomp help\n');
  });

  test.each([
    ["statistics", "stats"],
    ["search", "find"],
    ["export", "data export"],
    ["rollback", "data rollback"],
    ["user lst", "users list"],
    ["key craete", "keys create"],
    ["credit --user ann@example.com", "credits"],
    ["users-list", "users list"],
    ["data_export", "data export"],
  ])("suggests the equivalent of %s here", async (asked, meant) => {
    const words = asked.split(" ");
    expect((await cli(...words)).err).toBe(
      `Unknown command "${words[0]}". Did you mean "${meant}"? See: execcomp help\n`,
    );
  });

  test.each([
    [
      "show AAPL --fiscal-year 2022-2024",
      'Cannot read --fiscal-year "2022-2024"',
      "--fiscal-year-gte 2022 and --fiscal-year-lte 2024.",
    ],
    [
      "query --fiscal-year 2022..2024",
      'Cannot read --fiscal-year "2022..2024"',
      "--fiscal-year-gte 2022 and --fiscal-year-lte 2024.",
    ],
    [
      "query --office peoo",
      'Cannot read --office "peoo"',
      "one of ceo, cfo, peo, pfo, other. Did you mean peo?",
    ],
    ["stats --group-by sectr", 'Cannot read --group-by "sectr"', "sector, sic2"],
    ["stats --same-companies", "Cannot read --same-companies:", "Add --group-by fiscal_year."],
    ["query --salary-gte x", 'Cannot read --salary-gte "x"', "an amount"],
    ["query --max-rows 99999", 'Cannot read --max-rows "99999"', "from 1 to 1000"],
    ["ceo-pay --fiscal-year abc", 'Cannot read --fiscal-year "abc"', "a whole number"],
    ["compare AAPL --fiscal-year 20x4", 'Cannot read --fiscal-year "20x4"', "a whole number"],
  ])("%s is refused in the words of the command line", async (line, first, second) => {
    const { code, err } = await cli(...line.split(" "));
    expect(code).toBe(2);
    for (const told of [first, second]) expect(err).toContain(told);
    expect(err).not.toMatch(/fiscal_year_|group_by|same_companies/);
  });

  test.each([
    ["coverage AAPL QZQZ", "Not found: QZQZ. To search: execcomp find WORDS"],
    ["coverage AAPLL", "Not found: AAPLL. Did you mean Apple Inc. (AAPL)?"],
    ["help user", 'Did you mean "users"? See: execcomp help'],
    ["ceo-pay --group-by sector --max-rows 3", "--max-rows is for rows: leave it out, or --group-by."],
    ["show AAPL --format xlsx", "For xlsx: execcomp data export."],
    ["query --out pay.parquet", "For parquet: execcomp sql, or execcomp data export."],
    ["help qzqz", "See: execcomp help"],
    ["show --cik 320193", "show takes a CIK as TICKER, without a flag."],
    ["find qzqzqzqz", "execcomp coverage"],
    ["credits grant --user ann@example.com --amount 0", "--amount 0 changes nothing"],
    ["get /t/AAPL/facts --url nonsense", "such as http://localhost:8402"],
  ])("%s does not end in nothing", async (line, told) => {
    expect((await cli(...line.split(" "))).err).toContain(told);
  });

  test("coverage takes any spelling of a company", async () => {
    const found = async (word: string) => (await cli("coverage", word, "--json")).json();
    const { companies } = (await found("AAPL")) as { companies: unknown[] };
    expect(companies).toHaveLength(1);
    for (const word of ["aapl", "320193", "apple"]) expect(await found(word)).toMatchObject({ companies });
  });

  test.each([
    "query --ticker QZQZ",
    "stats --office peo --rank-ticker QZQZ",
    "compare QZQZ AAPL",
    "show QZQZ",
    "ceo-pay --ticker QZQZ",
  ])("%s says how a company is found", async (line) => {
    expect((await cli(...line.split(" "))).err).toContain("To search: execcomp find WORDS");
  });

  test.each([
    ["show AAPL --year 2023", "--fiscal-year"],
    ["query --output x.csv", "--out"],
    ["query --fiscalyear 2023", "--fiscal-year"],
  ])("suggests the flag meant by %s", async (line, meant) => {
    const ran = await cli(...line.split(" "));
    expect([ran.code, ran.err]).toEqual([2, expect.stringContaining(`Did you mean ${meant}?`)]);
  });

  test.each([
    [["show", ""], "TICKER is missing"],
    [["find", "  "], "WORDS is missing"],
    [["explain", "AAPL", "", "tim-cook"], "YEAR is missing"],
  ])("reports a missing argument for %j", async (words, told) => {
    const ran = await cli(...words);
    expect([ran.code, ran.err]).toEqual([2, expect.stringContaining(told)]);
  });

  test.each(["AAPL", "BRK.B", "320193"])("says how to see the company %s", async (word) => {
    expect((await cli(word)).err).toBe(
      `Unknown command "${word}". To see a company: execcomp show ${word}. See: execcomp help\n`,
    );
  });

  test("suggests no command if several match", async () => {
    expect((await cli("create")).err).toBe('Unknown command "create". See: execcomp help\n');
  });

  test("on a terminal, prints notes about a table after the table", async () => {
    const written: string[] = [];
    const see = (text: string) => void written.push(text.slice(0, 6));
    const ran = await cli("query", "--ticker", "AAPL", {
      terminal: 100,
      onOut: see,
      onErr: see,
      environment: { NO_COLOR: "1" },
    });
    expect(ran.err).toContain(" rows from 1 company matched");
    expect(written.map((text) => text.trim().split(" ")[0])).toEqual(["FY", "Amount", "6"]);
  });

  test("refuses a noun without its verb", async () => {
    const ran = await cli("config");
    expect(ran).toMatchObject({ code: 2, out: "" });
    expect(ran.err).toContain('"config" needs one of print.');
  });

  test("refuses a wrong verb with the nearest one", async () => {
    expect((await cli("config", "prnt")).err).toContain('not "prnt". Did you mean "config print"?');
  });

  test("prints only its version on a line, by command and by flag", async () => {
    const [byCommand, byFlag] = [await cli("version"), await cli("--version")];
    expect(byCommand.out).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect(byFlag.out).toBe(byCommand.out);
  });

  test.each(COMMAND_NAMES)(
    "explains %s with its flags and at least one example that parses",
    async (name) => {
      const ran = await cli("help", ...name.split(" "));
      expect(ran.code).toBe(0);
      expect(ran.out).toContain(`execcomp ${name}`);
      expect(await cli(...name.split(" "), "--help")).toMatchObject({ code: 0, out: ran.out });
      const loaded = await loadCommand(name);
      expect(loaded.name).toBe(name);
      expect(loaded.examples.length).toBeGreaterThan(0);
      expect(ran.out).toContain(usageLine(loaded));
      for (const common of ["--data-dir", "--config", "--offline", "--json"])
        expect(ran.out).toContain(common);
      for (const [line] of loaded.examples) {
        const words = [...line.matchAll(/"([^"]*)"|\S+/g)].map(([word, quoted]) => quoted ?? word);
        const own = words.slice(line.startsWith(name) ? name.split(" ").length : 0);
        expect(() => parseLine(loaded, own, COMMAND_NAMES, {})).not.toThrow();
      }
      for (const [flag, { together }] of Object.entries(loaded.flags)) {
        const [stem = "", bound = ""] = flagOf(flag).split(/-(?=[^-]*$)/);
        if (together === undefined) expect(helpPage(loaded)).toContain(`--${flagOf(flag)}`);
        else expect(helpPage(loaded)).toMatch(new RegExp(`--${stem}-(\\w+\\|)*${bound}\\b`));
      }
    },
  );

  test("lists every command", async () => {
    const { out } = await cli("help");
    for (const name of COMMAND_NAMES) expect(out).toContain(`  ${name} `);
  });

  test("of every command begins with examples, and lists many flags and settings by subject", async () => {
    for (const name of COMMAND_NAMES) {
      const page = helpPage(await loadCommand(name));
      const headings = [...page.matchAll(/^([A-Z].*):$/gm)].map(([, heading = ""]) => heading);
      const examples = headings.indexOf("Examples");
      const first = headings.findIndex((heading) => !["Arguments", "Examples"].includes(heading));
      expect([name, examples >= 0 && examples < first]).toEqual([name, true]);
      const longest = page
        .split("\n\n")
        .map((part) => (/^(Arg|Exa)/.test(part) ? 0 : (part.match(/^ {2}-/gm)?.length ?? 0)));
      expect([name, Math.max(...longest) <= 14]).toEqual([name, true]);
    }
    expect(Object.values(SETTING_GROUPS).flat().toSorted()).toEqual(SETTING_NAMES.toSorted());
  });

  test("lists commands as one JSON document", async () => {
    const listed = (await cli("help", "--json")).json();
    expect(listed).toBeArrayOfSize(COMMAND_NAMES.length);
  });

  test("reports a bug as a bug, with its location, and exits 1", async () => {
    const ran = await cli("version", {
      onOut: () => {
        throw new TypeError("the disk sings");
      },
    });
    expect(ran.code).toBe(1);
    expect(ran.err).toContain("This is a bug in execcomp");
    expect(ran.err).toContain("the disk sings");
  });

  test("ends quietly when its output is closed", async () => {
    const ran = await cli("version", {
      onOut: () => {
        throw Object.assign(new Error("broken pipe"), { code: "EPIPE" });
      },
    });
    expect(ran).toMatchObject({ code: 0, err: "" });
  });
});

describe("config print", () => {
  test("shows values and origins, as a table and as JSON", async () => {
    const environment = { EXECCOMP_PORT: "9000", EXECCOMP_DATA_DIR: "/d" };
    const { out } = await cli("config", "print", "--host", "::1", { environment });
    expect(out).toMatch(/^port +9000 {2}\(environment\)$/m);
    expect(out).toMatch(/^host +::1 {2}\(flag\)$/m);
    expect(out).toMatch(/^price-history +1$/m);
    const listed = await cli("config", "print", "--json", { environment });
    expect(listed.json()).toContainEqual({
      setting: "port",
      variable: "EXECCOMP_PORT",
      value: 9000,
      origin: "environment",
    });
  });
});

test("a command receives its flags with their types", () => {
  command({
    ...sample,
    flags: {
      user: { value: "U", about: "", required: true },
      name: { value: "N", about: "" },
      on: { about: "" },
    },
    async run({ flags }, _io: Io) {
      const user: string = flags.user;
      const name: string | undefined = flags.name;
      const on: boolean = flags.on;
      // @ts-expect-error: no such flag is declared
      void flags.other;
      return [user, name, on].length;
    },
  });
  expect(sample.name).toBe("sample");
});

test("a misspelt variable is refused as a misspelt key of the file is; other commands' variables are theirs", async () => {
  const environment = { EXECCOMP_OFLINE: "true" };
  const ran = await cli("coverage", "--tickers", { environment });
  expect([ran.code, ran.out]).toEqual([1, ""]);
  expect(ran.err).toContain('Unknown variable EXECCOMP_OFLINE. Did you mean "EXECCOMP_OFFLINE"?');
  // A flag of `show` does not leak into `coverage`, nor does what Kubernetes sets for a service of our name.
  const theirs = {
    EXECCOMP_SHOW_FORMAT: "csv",
    EXECCOMP_SERVICE_HOST: "10.0.0.1",
    EXECCOMP_PORT_8402_TCP: "x",
  };
  expect((await cli("coverage", "--tickers", { environment: theirs })).out).toMatch(/^AAPL$/m);
  expect((await cli("show", "AAPL", { environment: theirs })).out).toMatch(/^ticker,cik,/);
});

test("config print shows values as their settings accept them", async () => {
  const { out, json } = await cli("config", "print", "--backup-every", "5m", "--json");
  // The array that `config print --json` writes.
  const settings = json() as { setting: string; value: unknown }[];
  const valueOf = (name: string) => settings.find(({ setting }) => setting === name)?.value;
  expect([valueOf("backup-every"), valueOf("port"), valueOf("offline")]).toEqual(["5m", 8402, false]);
  expect(out).not.toContain("300000");
});

test("a configuration file that is not there is named without a system's code", async () => {
  const { code, err } = await cli("coverage", "--config", "/nonexistent/execcomp.toml");
  expect([code, err]).toEqual([
    1,
    "Cannot read the configuration file /nonexistent/execcomp.toml: no such file or folder.\n",
  ]);
});

test("--json and another --format contradict each other", async () => {
  for (const line of [
    "query --json --format csv",
    "show AAPL --json --format md",
    "coverage --json --format csv",
  ]) {
    const { code, out, err } = await cli(...line.split(" "));
    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain("contradict each other");
  }
});

test("a long table goes through the pager on a terminal, in bold and with links unless NO_COLOR says no", async () => {
  const { out } = await cli("query", "--ticker", "AAPL", { terminal: 120 });
  expect(out).toStartWith("\u001b[1mFY");
  expect(out).toContain("\u001b]8;;https://www.sec.gov/");
  const plain = await cli("query", "--ticker", "AAPL", { terminal: 120, environment: { NO_COLOR: "1" } });
  expect(plain.out).toBe(Bun.stripANSI(out));
  const shown: string[] = [];
  const paged = (environment: Record<string, string>, rows: number) =>
    cli("query", "--ticker", "AAPL", {
      terminal: 120,
      rows,
      environment,
      onPage: (text) => shown.push(text),
    });
  expect((await paged({}, 7)).out).toBe("");
  expect(shown).toEqual([out]);
  expect((await paged({}, 60)).out).toBe(out);
  expect((await paged({ PAGER: "cat" }, 7)).out).toBe(out);
});
