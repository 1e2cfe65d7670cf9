/**
 * Schemathesis against our server: requests generated from the OpenAPI document, with every check of the tool enabled.
 *
 *     bun run conformance openapi [--executable dist/execcomp] [--examples 50] [--seed 1] [--schemathesis /path/to/st]
 *
 * Exits 0 if every check of every operation passes. Rules that parameter schemas cannot express are in REFUSED below,
 * and excluded from the generated requests. The tool is a Python package, installed on demand; without Python nothing
 * is run.
 */
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startServer, TOOLS_FOLDER } from "../external-tools.ts";

const PACKAGE = "schemathesis==4.32.5";
/** Time limit of one run. */
const RUN_MS = 900_000;

const { values } = parseArgs({
  options: {
    executable: { type: "string" },
    examples: { type: "string", default: "50" },
    seed: { type: "string", default: "1" },
    schemathesis: { type: "string" },
  },
});

/**
 * Requests that the document allows but the contract refuses, because OpenAPI describes each parameter separately:
 * - `ticker` and `cik` of different companies, or neither, on the operation for one company;
 * - an amount with an exponent or more than two decimals (`multipleOf: 0.01` would refuse 12.13, which is not a
 * multiple of 0.01 in doubles);
 * - a cursor that no page returned, `same_companies` without `group_by=fiscal_year`;
 * - a filter of rows on an export of totals, or one of totals on rows;
 * - names of executives that are more than ten once split at their commas, or one without a letter or digit once accents are removed
 * (a pattern cannot express this in two regex dialects, nor which characters are assigned);
 * - an address longer than a request's headers may be (431).
 * `test/rest/400.test.ts` and `test/rest/analysis/` test that each of them is 400 or 410.
 */
const REFUSED = `
import json, re, schemathesis, unicodedata

AMOUNT = re.compile(r"^-?\\d{1,13}(\\.\\d{1,2})?$")
BOUND = re.compile(r"_(gte|lte|gt|lt)$")
OF_TOTALS = re.compile(r"^(peo_total_|doubtful$)")
OF_ROWS = re.compile(r"^(columns|office|executive|executive_id|evidence|complete_only|one_per_company_year)$|^(?!peo_|fiscal_).*_(gte|lte|gt|lt)$")

@schemathesis.hook
def filter_case(context, case):
    given = case.query or {}
    if "cursor" in given or "same_companies" in given and "fiscal_year" not in str(given.get("group_by")):
        return False
    if case.operation.path == "/api/executive-compensation" and ("ticker" in given) == ("cik" in given):
        return False
    others = OF_ROWS if given.get("view") == "ceo_pay" else OF_TOTALS
    if case.operation.path == "/export" and any(others.match(n) for n in given):
        return False
    names = re.sub(r"[\\[\\]']", "", str(given.get("executive", "x"))).split(",")
    texts = json.dumps(given, ensure_ascii=False, default=str)
    if len(texts) > 1500 or len(names) > 10 or not all(re.search(r"[A-Za-z0-9]", n) for n in names) or any(unicodedata.category(c) in ("Cn", "Co") for c in texts):
        return False
    amounts = [v for n, v in given.items() if BOUND.search(n) and not n.startswith("fiscal_year")]
    return all(not isinstance(v, (int, float)) or AMOUNT.match(str(v)) for v in amounts)
`;

/** The tool's command, or undefined if it is unavailable. */
async function schemathesis(): Promise<string | undefined> {
  if (values.schemathesis !== undefined) return values.schemathesis;
  const folder = join(TOOLS_FOLDER, PACKAGE);
  const command = join(folder, "bin", "schemathesis");
  if (existsSync(command)) return command;
  const python = Bun.which("python3");
  if (python === null) return undefined;
  rmSync(folder, { recursive: true, force: true });
  for (const step of [
    [python, "-m", "venv", folder],
    [join(folder, "bin", "pip"), "install", "--quiet", PACKAGE],
  ]) {
    if ((await Bun.spawn(step, { stdin: "ignore", stdout: "ignore" }).exited) !== 0) return undefined;
  }
  return command;
}

const command = await schemathesis();
if (command === undefined) {
  console.log(`skip: ${PACKAGE} needs python3 with venv, and pip to install it`);
  process.exit(0);
}
const server = await startServer(values.executable, {
  EXECCOMP_RATE_KEY: "1000000",
  EXECCOMP_RATE_ANONYMOUS: "1000000",
});
try {
  const user = ["--user", "schemathesis@example.com"];
  const { out } = await server.run("keys", "create", ...user, "--json");
  // The command's own JSON.
  const { key } = JSON.parse(out) as { key: string };
  // Only unmetered users may export.
  await server.run("credits", "unmetered", ...user);
  const hooks = join(server.dataDir, "refused.py");
  await Bun.write(hooks, REFUSED);
  const flags = ["--checks", "all", "--no-color", "--continue-on-failure", "--header", `X-API-KEY: ${key}`];
  const sizes = ["--max-examples", values.examples, "--seed", values.seed];
  const child = Bun.spawn([command, "run", `${server.origin}/api/openapi.json`, ...flags, ...sizes], {
    cwd: server.dataDir,
    env: { PATH: process.env["PATH"] ?? "", HOME: server.dataDir, SCHEMATHESIS_HOOKS: hooks },
    stdio: ["ignore", "inherit", "inherit"],
    timeout: RUN_MS,
  });
  process.exitCode = await child.exited;
} finally {
  await server.stop();
}
