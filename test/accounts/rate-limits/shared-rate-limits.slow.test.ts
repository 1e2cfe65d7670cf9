import { hasPostgres, startPostgres } from "../../support/postgres.ts";
import { describeWindows, startPostgresBackend } from "./windows.ts";

const postgres = hasPostgres ? await startPostgres() : null;

describeWindows("postgresql", hasPostgres, () => {
  if (postgres === null) throw new Error("no PostgreSQL");
  return startPostgresBackend(postgres);
});
