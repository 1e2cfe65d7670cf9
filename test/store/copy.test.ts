import { expect, test } from "bun:test";
import { copyStore } from "../../src/store/backup.ts";
import { openAccounts, temporaryFolder } from "../support/accounts.ts";

test("copying a store that is in use is refused, and so is copying into one", async () => {
  using folders = new DisposableStack();
  const [from, to] = [1, 2].map(() => openAccounts(folders.use(temporaryFolder()).path));
  if (from === undefined || to === undefined) throw new Error("two stores");
  await from.users.findOrCreate("ann@example.com");
  const transact = to.store.transact.bind(to.store);
  to.store.transact = async (work) => {
    const value = await transact(work);
    from.store.client.run("UPDATE users SET email = 'other@example.com'");
    return value;
  };
  await expect(copyStore(from.store, to.store)).rejects.toThrow("users differs: 1 rows before, 1 after");
  await expect(copyStore(from.store, to.store)).rejects.toThrow(
    "The target is in use: there are rows in users",
  );
  await from.store.close();
  await to.store.close();
});
