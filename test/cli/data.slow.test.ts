import { expect, test } from "bun:test";
import { cli } from "../support/cli.ts";
import { tempFolder } from "../support/folder.ts";

test("data verify --deep checks every row of the current snapshot", async () => {
  const environment = { EXECCOMP_DATA_DIR: tempFolder() };
  const embedded = await cli("data", "verify", "--deep", "--json", { environment });
  expect(embedded.code).toBe(0);
  expect(embedded.json()).toMatchObject({
    name: "the snapshot inside this executable",
    signed_by: null,
    broken: [],
  });
});
