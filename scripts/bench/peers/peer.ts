/** Alternative servers: how each is installed, given the rows, started and queried. */
import { join } from "node:path";
import { Database, type SQLQueryBindings } from "bun:sqlite";

/** A server to compare with. Folders are outside the repository. */
export interface Peer {
  name: string;
  /** Its folder in the cache. */
  folder: string;
  install(home: string): Promise<void>;
  /** The running version, with its runtime. */
  version(home: string): Promise<string>;
  /** Gives it the rows. @param views the views as tables of a database @returns where its data is */
  load(home: string, data: string, views: string): Promise<string>;
  /** The command line that starts it. */
  serve(home: string, data: string, port: number): Promise<string[]>;
  /** All rows of one company, newest year first. */
  pathOf(ticker: string): string;
  headers: Record<string, string>;
}

const copied = async (_home: string, data: string, views: string): Promise<string> => {
  await Bun.write(join(data, "pay.sqlite"), Bun.file(views));
  return data;
};

/** Without keys; tables are served as JSON. */
export const DATASETTE: Peer = {
  name: "Datasette",
  folder: "datasette",
  async install(home) {
    await Bun.$`python3 -m venv ${home} && ${join(home, "bin/pip")} install -q datasette`.quiet();
  },
  version: (home) =>
    Bun.$`${join(home, "bin/datasette")} --version && ${join(home, "bin/python")} --version`
      .text()
      .then(oneLine),
  load: copied,
  async serve(home, data, port) {
    const settings = ["--setting", "default_cache_ttl", "0", "--setting", "suggest_facets", "off"];
    return [
      join(home, "bin/datasette"),
      "serve",
      "-i",
      join(data, "pay.sqlite"),
      "-p",
      String(port),
      ...settings,
    ];
  },
  pathOf: (ticker) =>
    `/pay/compensation.json?ticker=${ticker}&_sort_desc=fiscal_year&_size=100&_shape=objects&_nocount=1&_nofacet=1`,
  headers: {},
};

const KEY = "a-key-of-the-bench";

/** A server of thirty lines, as a developer with the rows in SQLite would write it. */
const SERVER = `
const [file, port, kept] = process.argv.slice(2);
const { createHash } = require("node:crypto");
const fastify = require("fastify")();
const database = new (require("better-sqlite3"))(file, { readonly: true });
const select = database.prepare("select * from compensation where ticker = ? order by fiscal_year desc, total_compensation desc");
const keys = new Map([[createHash("sha256").update("${KEY}").digest("base64"), {}]]);
const texts = new Map();
fastify.get("/rows", (request, reply) => {
  const key = request.headers["x-api-key"];
  if (key === undefined || !keys.has(createHash("sha256").update(key).digest("base64"))) return reply.code(401).send({ error: "no key" });
  const { ticker } = request.query;
  if (kept !== "kept") return { executive_compensation: select.all(ticker) };
  let text = texts.get(ticker);
  if (text === undefined) texts.set(ticker, (text = JSON.stringify({ executive_compensation: select.all(ticker) })));
  return reply.type("application/json").send(text);
});
fastify.listen({ host: "127.0.0.1", port: Number(port) });
`;

/** Rows are read and serialized for each request; a key is hashed and looked up in a Map, as in ours. */
export const FASTIFY: Peer = {
  name: "Fastify with better-sqlite3",
  folder: "fastify",
  async install(home) {
    await Bun.write(join(home, "package.json"), '{"private":true}');
    await Bun.$`npm install --silent fastify better-sqlite3`.cwd(home).quiet();
    // Fails here if its native part could be neither fetched nor built.
    await Bun.$`node -e ${'new (require("better-sqlite3"))(":memory:")'}`.cwd(home).quiet();
  },
  async version(home) {
    const of = (name: string) => Bun.file(join(home, "node_modules", name, "package.json")).json();
    const [fastify, sqlite] = [await of("fastify"), await of("better-sqlite3")];
    return `${fastify.version}, better-sqlite3 ${sqlite.version}, Node ${await Bun.$`node --version`.text().then(oneLine)}`;
  },
  load: copied,
  async serve(home, data, port) {
    const script = join(home, "server.cjs");
    await Bun.write(script, SERVER);
    return ["node", script, join(data, "pay.sqlite"), String(port)];
  },
  pathOf: (ticker) => `/rows?ticker=${ticker}`,
  headers: { "x-api-key": KEY },
};

/** The same with each company's JSON cached in memory after its first request. */
export const FASTIFY_CACHED: Peer = {
  ...FASTIFY,
  name: "Fastify, JSON cached in a Map",
  serve: async (home, data, port) => [...(await FASTIFY.serve(home, data, port)), "kept"],
};

const OWNER = { identity: "bench@example.com", password: "correct horse battery" };

/** Without keys: a collection that anyone may list. */
export const POCKETBASE: Peer = {
  name: "PocketBase",
  folder: "pocketbase",
  async install(home) {
    const go = (...words: string[]) => Bun.$`go ${words}`.cwd(home).quiet();
    await Bun.$`test -e go.mod || go mod init peer`.cwd(home).quiet();
    // The newest version that this machine's Go can build.
    const listed = (await go("list", "-m", "-versions", MODULE)).text().trim().split(" ").slice(1).reverse();
    for (const version of listed) {
      const got = await Bun.$`go get ${`${MODULE}@${version}`} ${`${MODULE}/examples/base@${version}`}`
        .cwd(home)
        .nothrow()
        .quiet();
      if (got.exitCode === 0) break;
    }
    await go("build", "-o", "pocketbase", `${MODULE}/examples/base`);
  },
  version: (home) => Bun.$`go list -m ${MODULE} && go version`.cwd(home).text().then(oneLine),
  async load(home, data, views) {
    const program = join(home, "pocketbase");
    await Bun.$`${program} superuser upsert ${OWNER.identity} ${OWNER.password} --dir ${data}`.quiet();
    await makeCollection(program, data, views);
    insertRecords(join(data, "data.db"), views);
    return data;
  },
  async serve(home, data, port) {
    return [join(home, "pocketbase"), "serve", "--dir", data, "--http", `127.0.0.1:${port}`];
  },
  pathOf: (ticker) =>
    `/api/collections/compensation/records?filter=(ticker='${ticker}')&sort=-fiscal_year&perPage=100&skipTotal=1`,
  headers: {},
};

const MODULE = "github.com/pocketbase/pocketbase";

function oneLine(text: string): string {
  return text.trim().replaceAll(/\s+/g, " ");
}

interface ViewColumn {
  name: string;
  type: string;
}

function columnsOf(views: Database): ViewColumn[] {
  return views.query<ViewColumn, []>("select name, type from pragma_table_info('compensation')").all();
}

/** Creates an empty collection with a field for each column, through the API of a server started for it. */
async function makeCollection(program: string, data: string, views: string): Promise<void> {
  using database = new Database(views, { readonly: true });
  const address = "127.0.0.1:8497";
  const child = Bun.spawn([program, "serve", "--dir", data, "--http", address], {
    stdout: "ignore",
    stderr: "ignore",
  });
  const post = async (path: string, body: object, token = "") => {
    const answer = await fetch(`http://${address}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: token },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
    // Both responses are objects; the first has the token.
    return (await answer.json()) as { token?: string };
  };
  try {
    for (let tries = 0; tries < 100; tries++) {
      if (
        await fetch(`http://${address}/api/health`).then(
          () => true,
          () => false,
        )
      )
        break;
      await Bun.sleep(100);
    }
    const { token = "" } = await post("/api/collections/_superusers/auth-with-password", OWNER);
    await post(
      "/api/collections",
      {
        name: "compensation",
        type: "base",
        listRule: "",
        viewRule: "",
        fields: columnsOf(database).map(({ name, type }) => ({
          name,
          type: type === "TEXT" || type === "text" ? "text" : "number",
        })),
        indexes: ["create index compensation_ticker on compensation (ticker, fiscal_year)"],
      },
      token,
    );
  } finally {
    child.kill();
    await child.exited;
  }
}

/** Through its API, one by one, it would take minutes: the rows are written directly to its database. */
function insertRecords(path: string, views: string): void {
  using source = new Database(views, { readonly: true });
  using out = new Database(path);
  const names = columnsOf(source).map(({ name }) => name);
  const insert = out.prepare(
    `insert into compensation (id, ${names.join(", ")}) values (?, ${names.map(() => "?").join(", ")})`,
  );
  const rows = source.query<Record<string, SQLQueryBindings>, []>("select * from compensation").all();
  out.transaction(() => {
    rows.forEach((row, at) => {
      // Its text columns are never null.
      insert.run(String(at).padStart(15, "0"), ...names.map((name) => row[name] ?? ""));
    });
  })();
}
