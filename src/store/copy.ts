/** Copies a store into another of either kind, then reads both and compares them. */
import { getTableColumns } from "drizzle-orm";
import { getTableConfig, type SQLiteTable } from "drizzle-orm/sqlite-core";
import { OperatorError } from "../errors.ts";
import { audit } from "./audit.ts";
import { identities } from "./schema.ts";
import { oauthClients, oauthCodes, oauthGrants, oauthRequests, oauthTokens } from "./oauth.ts";
import * as schema from "./schema.ts";
import type { StatementValue, Store } from "./store.ts";

/** Ordered by their references. Rate limits are not copied: they expire within a minute. */
const TABLES: readonly SQLiteTable[] = [
  schema.users,
  schema.sessions,
  schema.links,
  schema.signInFailures,
  schema.keys,
  schema.balances,
  schema.ledger,
  schema.rolledLedger,
  schema.chargedDays,
  schema.pageOpenings,
  schema.peerGroups,
  audit,
  identities,
  oauthClients,
  oauthRequests,
  oauthGrants,
  oauthCodes,
  oauthTokens,
];

/** Figures that must agree between source and copy. */
export interface TableSums {
  table: string;
  rows: number;
  /** Sum of all integers. */
  sum: string;
  /** SHA-256 of the rows in key order, hexadecimal. */
  sha256: string;
}

/** Rows per read and write. */
const PAGE = 500;

type Row = Record<string, StatementValue>;

interface Shape {
  name: string;
  columns: readonly string[];
  key: readonly string[];
}

function shapeOf(table: SQLiteTable): Shape {
  const { name, primaryKeys } = getTableConfig(table);
  const columns = Object.values(getTableColumns(table));
  const [composed] = primaryKeys;
  const key = composed?.columns ?? columns.filter(({ primary }) => primary);
  return { name, columns: columns.map((column) => column.name), key: key.map((column) => column.name) };
}

const quoted = (names: readonly string[]) => names.map((name) => `"${name}"`).join(", ");
const places = (count: number) => Array.from({ length: count }, () => "?").join(", ");

/**
 * Copies every table into an unused store.
 *
 * @returns the figures of each table, verified on both sides
 * @throws OperatorError if the target is in use, or differs afterwards
 */
export async function copyStore(from: Store, to: Store): Promise<readonly TableSums[]> {
  const shapes = TABLES.map(shapeOf);
  for (const shape of shapes) {
    if ((await pageOf(to, shape, null)).length > 0) {
      throw new OperatorError(
        `The target is in use: there are rows in ${shape.name}. Copy into an empty one.`,
      );
    }
  }
  for (const shape of shapes) {
    for await (const page of pagesOf(from, shape)) await insert(to, shape, page);
  }
  if (to.path === null) for (const shape of shapes) await countOn(to, shape);
  const copied: TableSums[] = [];
  for (const shape of shapes) {
    const [before, after] = [await sumsOf(from, shape), await sumsOf(to, shape)];
    if (JSON.stringify(before) !== JSON.stringify(after)) {
      throw new OperatorError(
        `${shape.name} differs: ${before.rows} rows before, ${after.rows} after. Was the source in use? Stop its servers, and copy into an empty target.`,
      );
    }
    copied.push(after);
  }
  return copied;
}

async function* pagesOf(store: Store, shape: Shape): AsyncGenerator<readonly Row[]> {
  let last: Row | null = null;
  for (;;) {
    const page: readonly Row[] = await pageOf(store, shape, last);
    if (page.length > 0) yield page;
    if (page.length < PAGE) return;
    last = page.at(-1) ?? null;
  }
}

async function pageOf(
  store: Store,
  { name, columns, key }: Shape,
  after: Row | null,
): Promise<readonly Row[]> {
  const behind = after === null ? "" : ` WHERE (${quoted(key)}) > (${places(key.length)})`;
  const text = `SELECT ${quoted(columns)} FROM ${name}${behind} ORDER BY ${quoted(key)} LIMIT ${PAGE}`;
  const values = after === null ? [] : key.map((column) => after[column] ?? null);
  return store.read((db) => db.rows<Row>(text, ...values));
}

async function insert(store: Store, { name, columns }: Shape, page: readonly Row[]): Promise<void> {
  const line = `(${places(columns.length)})`;
  const text = `INSERT INTO ${name} (${quoted(columns)}) VALUES ${page.map(() => line).join(", ")}`;
  const values = page.flatMap((row) => columns.map((column) => row[column] ?? null));
  await store.transact(async (tx) => {
    await tx.rows(text, ...values);
  });
}

/** Advances PostgreSQL's id sequence past the copied rows; SQLite determines ids from the table. */
async function countOn(store: Store, { name, key }: Shape): Promise<void> {
  if (key.join() !== "id") return;
  const text = `SELECT setval(sequence, (SELECT max(id) FROM ${name})::text::bigint) FROM (
    SELECT pg_get_serial_sequence('${name}', 'id')::regclass AS sequence) AS counter
    WHERE sequence IS NOT NULL AND EXISTS (SELECT 1 FROM ${name})`;
  await store.transact(async (tx) => {
    await tx.rows(text);
  });
}

async function sumsOf(store: Store, shape: Shape): Promise<TableSums> {
  const hash = new Bun.CryptoHasher("sha256");
  let rows = 0;
  let sum = 0n;
  for await (const page of pagesOf(store, shape)) {
    for (const row of page) {
      const values = shape.columns.map((column) => row[column] ?? null);
      hash.update(`${JSON.stringify(values)}\n`);
      rows += 1;
      for (const value of values) if (typeof value === "number") sum += BigInt(value);
    }
  }
  return { table: shape.name, rows, sum: String(sum), sha256: hash.digest("hex") };
}
