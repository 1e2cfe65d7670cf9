import { expect, test } from "bun:test";
import { PeerGroups } from "../../src/accounts/peer-groups.ts";
import { withAccounts } from "../support/accounts.ts";

test("only its owner can find, change or delete a group, or learn its name", () =>
  withAccounts(async ({ users, store, runtime }) => {
    const groups = new PeerGroups(store, runtime);
    const owners = [
      (await users.findOrCreate("ann@example.com")).id,
      (await users.findOrCreate("bob@example.com")).id,
      // The local operator.
      null,
    ];
    const content = { name: "Banks", ciks: ["0000019617"] };
    const ids = await Promise.all(owners.map((owner) => groups.create(owner, content)));
    for (const owner of owners) {
      for (const [n, id] of ids.entries()) {
        if (owners[n] === owner) continue;
        expect(await groups.find(owner, id)).toBeUndefined();
        await groups.change(owner, id, { name: "Theirs", ciks: ["0000320193"] });
        await groups.delete(owner, id);
      }
    }
    for (const [n, owner] of owners.entries())
      expect(await groups.list(owner)).toMatchObject([{ ...content, id: ids[n] ?? "" }]);
  }));
