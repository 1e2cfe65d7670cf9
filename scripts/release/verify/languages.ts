/** The packages for npm, Python and MCP, and the archives: everything that can be installed without root. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type } from "arktype";
import { runCommand } from "../../command-output.ts";
import { mcpSession } from "../packages/mcpb.ts";
import { nativePlatform } from "../platforms.ts";
import {
  APPLE_TOTAL,
  CannotTry,
  type Check,
  releaseFile,
  requireFile,
  requireText,
  run,
  showsApple,
} from "./check.ts";

const native = () => RegExp.escape(nativePlatform().name);

/** The archive of this machine, unpacked. */
export const archive: Check = {
  name: "archive",
  needs: ["tar"],
  async run(context) {
    const file = releaseFile(context, new RegExp(`^execcomp-[\\d.]+-${native()}\\.(tar\\.gz|zip)$`));
    await run(["tar", "-xf", file, "-C", context.folder, "--strip-components=1"]);
    for (const path of ["LICENSE", "README.md", "CHANGELOG.md", "share/man/man1/execcomp.1"])
      requireFile(join(context.folder, path));
    const executable = join(context.folder, "execcomp");
    await showsApple([executable], { env: { HOME: context.folder } });
    requireText(await run([executable, "version", "--licences"]), "JavaScriptCore");
  },
};

/** `npm install` of the two files, into a prefix. */
export const npm: Check = {
  name: "npm",
  needs: ["npm", "node"],
  async run(context) {
    const platform = releaseFile(context, new RegExp(`^execcomp-[\\d.]+-npm-${native()}\\.tgz$`));
    const main = releaseFile(context, /^execcomp-[\d.]+-npm\.tgz$/);
    const options = ["--offline", "--no-audit", "--no-fund", "--cache", join(context.folder, "cache")];
    await run(["npm", "install", "--global", "--prefix", context.folder, ...options, platform, main]);
    await showsApple([join(context.folder, "bin", "execcomp")], { env: { HOME: context.folder } });
    await exitCodePasses(join(context.folder, "bin", "execcomp"));
  },
};

async function exitCodePasses(command: string): Promise<void> {
  const { code } = await runCommand([command, "show", "NOSUCH"]);
  if (code !== 1) throw new Error(`show NOSUCH ended with ${code} through the launcher, not with 1`);
}

/** `pip install` of the wheel into a virtual environment, without an index. */
export const wheel: Check = {
  name: "wheel",
  needs: ["python3"],
  async run(context) {
    const tag = nativePlatform().wheel.split(".")[0] ?? "";
    const file = releaseFile(context, new RegExp(`py3-none-${tag}.*\\.whl$`));
    try {
      await run(["python3", "-m", "venv", context.folder]);
    } catch {
      throw new CannotTry("python3 has no venv module");
    }
    const python = join(context.folder, "bin", "python");
    await run([python, "-m", "pip", "install", "--quiet", "--no-index", file]);
    const env = { HOME: context.folder };
    await showsApple([join(context.folder, "bin", "execcomp")], { env });
    await showsApple([python, "-m", "execcomp"], { env });
  },
};

/** The wheel's `query` in an environment with pandas, which pip fetches. */
export const notebook: Check = {
  name: "notebook",
  needs: ["python3"],
  async run(context) {
    await wheel.run(context);
    const python = join(context.folder, "bin", "python");
    try {
      await run([python, "-m", "pip", "install", "--quiet", "pandas", "pyarrow"]);
    } catch {
      throw new CannotTry("pip cannot fetch pandas and pyarrow");
    }
    const script = `import execcomp
rows = execcomp.query(ticker=["AAPL", "MSFT"], fiscal_year=2025, is_peo=True)
print(sorted(rows["ticker"]), f"{int(rows.set_index('ticker').loc['AAPL', 'total_compensation']):,}")
print(len(execcomp.ceo_pay(is_latest=True)) > 1000, len(execcomp.companies(ticker="DAL", cik=["27904", 27904])))
print(execcomp.sql("SELECT count(*) AS n FROM observations")["n"][0] > 1000)
for wrong in (
    lambda: execcomp.query(tickr="AAPL"),
    lambda: execcomp.query(fiscal_year="last"),
    lambda: execcomp.query(fiscal_year_gte=[2024]),
    lambda: execcomp.query(source_filing_date_gte="yesterday"),
    lambda: execcomp.query(is_peo=None),
    lambda: execcomp.sql(7),
    lambda: execcomp.sql("SELECT 1", ["AAPL"]),
    lambda: execcomp.sql("SELECT tickr FROM companies"),
    lambda: execcomp.query(data_dir="/dev/null/x"),
):
    try:
        print("not refused", len(wrong()))
    except execcomp.Error as error:
        print(error)
import warnings
with warnings.catch_warnings(record=True) as told:
    warnings.simplefilter("always")
    print(len(execcomp.query(ticker=["aapl", "brk.b", "No Inc."], fiscal_year=2024)) > 5)
    print(len(execcomp.companies(sector="tech")))
for one in told:
    print(one.category.__name__, one.message)`;
    const out = await run([python, "-c", script], { env: { HOME: context.folder } });
    requireText(out, `['AAPL', 'MSFT'] ${APPLE_TOTAL}`);
    for (const text of [
      "True 1",
      "no column 'tickr'; did you mean 'ticker'?",
      "No column tickr. Did you mean ticker?",
      "fiscal_year cannot be 'last'",
      "fiscal_year cannot be [2024]",
      "source_filing_date cannot be 'yesterday'",
      "is_peo cannot be None",
      "a statement is text, not 7",
      "UnknownValue no rows with ticker 'No Inc.';",
      "UnknownValue no rows with sector 'tech'",
      "there is no folder ['AAPL']",
    ])
      requireText(out, text);
    if (out.includes("not refused")) throw new Error(out);
  },
};

const Manifest = type({
  server: {
    type: "'binary'",
    mcp_config: { command: "string", args: "string[]", env: { "[string]": "string" } },
  },
  user_config: { "[string]": { default: "string" } },
});

/** The MCP bundle, unpacked and started as in its manifest, with an empty form. */
export const mcpb: Check = {
  name: "mcpb",
  needs: ["unzip"],
  async run(context) {
    const file = releaseFile(context, new RegExp(`-${native()}\\.mcpb$`));
    await run(["unzip", "-q", file, "-d", context.folder]);
    const { server, user_config } = Manifest.assert(
      JSON.parse(readFileSync(join(context.folder, "manifest.json"), "utf8")),
    );
    const fill = (text: string) =>
      text
        .replaceAll("${__dirname}", context.folder)
        .replaceAll(/\$\{user_config\.(\w+)\}/g, (_all, name: string) => user_config[name]?.default ?? "?");
    const { command, args, env } = server.mcp_config;
    const filled = Object.fromEntries(Object.entries(env).map(([name, value]) => [name, fill(value)]));
    const out = await run([fill(command), ...args], {
      env: { HOME: context.folder, ...filled },
      stdin: mcpSession("tools/call", CALL),
    });
    requireText(out, APPLE_TOTAL.replaceAll(",", ""));
  },
};

const CALL = { name: "get_executive_compensation", arguments: { ticker: "AAPL", limit: 1 } };

/** The list of hashes: all files exist and match. If signed, it is checked with the project's key. */
export const sums: Check = {
  name: "SHA256SUMS",
  needs: ["sha256sum"],
  async run(context) {
    await run(["sha256sum", "--check", "--strict", "--quiet", "SHA256SUMS"], { cwd: context.release });
  },
};
