import { describe, expect, test } from "bun:test";
import { Joining, type SignUpMode } from "../../src/accounts/joining.ts";
import { Links } from "../../src/accounts/links.ts";
import { Passwords } from "../../src/accounts/passwords.ts";
import { Sessions } from "../../src/accounts/sessions.ts";
import { signIn } from "../../src/accounts/sign-in.ts";
import { Throttle } from "../../src/accounts/throttle.ts";
import { testAmbient } from "../support/ambient.ts";
import { openAccounts, temporaryFolder } from "../support/accounts.ts";

const GOOD = "correct horse battery";
const joiner = (password = GOOD) => ({ password, address: "198.51.100.1", previous: null });

async function atTheDoor<T>(
  work: (door: ReturnType<typeof doorOf>) => Promise<T>,
  signUp: SignUpMode = "invite",
) {
  using folder = temporaryFolder();
  const door = doorOf(folder.path, signUp);
  try {
    return await work(door);
  } finally {
    door.store.close();
  }
}

function doorOf(dataDir: string, signUp: SignUpMode) {
  const moment = testAmbient();
  const all = openAccounts(dataDir, moment);
  const { store, users } = all;
  const passwords = new Passwords();
  const sessions = new Sessions(store, moment);
  const links = new Links(store, moment);
  const throttle = new Throttle(store, moment);
  const joining = new Joining({ store, ambient: moment, users, passwords, sessions, links, signUp });
  const parts = { store, passwords, sessions, throttle };
  const enter = (email: string, password: string, address = "198.51.100.1", previous: string | null = null) =>
    signIn(parts, { email, password, address, previous });
  return { ...all, moment, sessions, links, joining, passwords, enter };
}

const kindOf = (promise: Promise<unknown>) =>
  promise.then(
    () => "done",
    (error: unknown) => (error instanceof Error && "kind" in error ? error.kind : error),
  );

describe("signing in", () => {
  test("opens a session by any spelling of the address, and never the one that was there", () =>
    atTheDoor(async ({ joining, enter, sessions }) => {
      await joining.createWithPassword("ann@example.com", GOOD);
      const first = await enter(" Ann@Example.COM ", GOOD);
      expect(sessions.find(first.secret)).toMatchObject({
        user: { email: "ann@example.com", role: "owner" },
      });
      const planted = await enter("ann@example.com", GOOD, "198.51.100.1", first.secret);
      expect(planted.secret).not.toBe(first.secret);
      expect(sessions.find(first.secret)).toBeUndefined();
      expect(sessions.find(planted.secret)?.user.id).toBe(planted.user.id);
    }));

  test("unknown account, wrong password, no password and a disabled user read alike", () =>
    atTheDoor(async ({ joining, users, enter }) => {
      await joining.createWithPassword("ann@example.com", GOOD);
      await users.findOrCreate("bare@example.com");
      const gone = await joining.createWithPassword("gone@example.com", GOOD);
      await users.disable(gone.id);
      const told = await Promise.all(
        [
          ["nobody@example.com", GOOD],
          ["not an address", GOOD],
          ["ann@example.com", "wrong password"],
          ["bare@example.com", ""],
          ["gone@example.com", GOOD],
        ].map(([email = "", password = ""], n) => enter(email, password, `10.0.0.${n}`).catch(String)),
      );
      expect(new Set(told)).toEqual(new Set(["ServiceError: E-mail or password is wrong."]));
    }));

  test("an unknown account costs the same work as a wrong password", () =>
    atTheDoor(async ({ joining, passwords, enter }) => {
      await joining.createWithPassword("ann@example.com", GOOD);
      const hashes: (string | null)[] = [];
      const verify = passwords.verify.bind(passwords);
      passwords.verify = (password, hash) => {
        hashes.push(hash);
        return verify(password, hash);
      };
      const timed = async (email: string) => {
        const began = process.cpuUsage();
        await kindOf(enter(email, "wrong password", email));
        const spent = process.cpuUsage(began);
        return spent.user + spent.system;
      };
      const wrong = await timed("ann@example.com");
      const unknown = await timed("nobody@example.com");
      expect(hashes).toEqual([expect.stringMatching(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/), null]);
      // Both ran one argon2id: without it a refusal costs a hundredth of this.
      expect(Math.min(wrong, unknown)).toBeGreaterThan(Math.max(wrong, unknown) / 10);
    }));

  test("the sixth attempt at an account from an address waits; others do not, nor does it after the wait", () =>
    atTheDoor(async ({ joining, enter, moment }) => {
      await joining.createWithPassword("ann@example.com", GOOD);
      const tries = await Promise.all(
        Array.from({ length: 8 }, () => kindOf(enter("ann@example.com", "guess"))),
      );
      expect(tries.filter((kind) => kind === "unauthenticated")).toHaveLength(5);
      expect(tries.filter((kind) => kind === "rate_limited")).toHaveLength(3);
      expect(await kindOf(enter("ann@example.com", GOOD))).toBe("rate_limited");
      expect(await kindOf(enter("ann@example.com", GOOD, "198.51.100.2"))).toBe("done");
      moment.advance(15 * 60_000);
      expect(await kindOf(enter("ann@example.com", GOOD))).toBe("done");
    }));

  test("an account that does not exist is slowed down like one that does", () =>
    atTheDoor(async ({ enter }) => {
      const tries: unknown[] = [];
      for (let n = 0; n < 6; n += 1) tries.push(await kindOf(enter("nobody@example.com", "guess")));
      expect(tries.at(-1)).toBe("rate_limited");
    }));

  test("being right forgets the wrong attempts before", () =>
    atTheDoor(async ({ joining, enter }) => {
      await joining.createWithPassword("ann@example.com", GOOD);
      for (let round = 0; round < 3; round += 1) {
        for (let n = 0; n < 4; n += 1)
          expect(await kindOf(enter("ann@example.com", "guess"))).toBe("unauthenticated");
        expect(await kindOf(enter("ann@example.com", GOOD))).toBe("done");
      }
    }));
});

describe("sessions", () => {
  test("end by themselves, by signing out, everywhere, and when the user is shut out", () =>
    atTheDoor(async ({ joining, users, enter, sessions, moment, store }) => {
      const ann = await joining.createWithPassword("ann@example.com", GOOD);
      const [one, two, three] = [
        await enter("ann@example.com", GOOD),
        await enter("ann@example.com", GOOD),
        await enter("ann@example.com", GOOD),
      ];
      await sessions.end(one.secret);
      expect(sessions.find(one.secret)).toBeUndefined();
      await sessions.endAll(ann.id, two.secret);
      expect([sessions.find(two.secret)?.user.id, sessions.find(three.secret)]).toEqual([ann.id, undefined]);
      await users.disable(ann.id);
      await users.enable(ann.id);
      expect(sessions.find(two.secret)).toBeUndefined();
      const four = await enter("ann@example.com", GOOD);
      for (let day = 0; day < 29; day += 1) {
        moment.advance(86_400_000);
        expect(sessions.find(four.secret)).toBeDefined();
        await Bun.sleep(1);
      }
      moment.advance(86_400_000);
      expect(sessions.find(four.secret)).toBeUndefined();
      const five = await enter("ann@example.com", GOOD);
      moment.advance(14 * 86_400_000 + 1);
      expect(sessions.find(five.secret)).toBeUndefined();
      expect(JSON.stringify(store.client.query("SELECT * FROM sessions").all())).not.toContain(five.secret);
    }));
});

describe("coming to have an account", () => {
  test("the set-up link makes the owner, once; a later start makes the earlier link void", () =>
    atTheDoor(async ({ joining, sessions }) => {
      const stale = await joining.setUpSecret();
      const secret = await joining.setUpSecret();
      expect(await kindOf(joining.setUp(stale ?? "", "eve@example.com", joiner()))).toBe("forbidden");
      const session = await joining.setUp(secret ?? "", "ann@example.com", joiner());
      expect(sessions.find(session.secret)?.user).toMatchObject({ email: "ann@example.com", role: "owner" });
      expect(await kindOf(joining.setUp(secret ?? "", "eve@example.com", joiner()))).toBe("forbidden");
      expect(await joining.setUpSecret()).toBeNull();
    }));

  test("two who use the set-up link at once: one is the owner", () =>
    atTheDoor(async ({ joining, users }) => {
      const secret = (await joining.setUpSecret()) ?? "";
      const both = ["ann@example.com", "eve@example.com"].map((email) =>
        kindOf(joining.setUp(secret, email, joiner())),
      );
      expect((await Promise.all(both)).toSorted()).toEqual(["done", "forbidden"]);
      expect(users.list()).toHaveLength(1);
    }));

  test("a short password does not use the link up", () =>
    atTheDoor(async ({ joining }) => {
      const secret = (await joining.setUpSecret()) ?? "";
      expect(await kindOf(joining.setUp(secret, "ann@example.com", joiner("short")))).toBe(
        "invalid_parameter",
      );
      expect(await kindOf(joining.setUp(secret, "ann@example.com", joiner()))).toBe("done");
    }));

  test("an owner's link may find the user that a command made", () =>
    atTheDoor(async ({ joining, users }) => {
      const { id } = await users.findOrCreate("ann@example.com");
      await joining.setUp((await joining.setUpSecret()) ?? "", "ann@example.com", joiner());
      expect(users.findById(id)).toMatchObject({ role: "owner", hasPassword: true });
    }));

  test("sign-up is refused unless open, and never takes an account over", async () => {
    for (const mode of ["invite", "closed"] as const) {
      await atTheDoor(async ({ joining }) => {
        expect(await kindOf(joining.signUp("ann@example.com", joiner()))).toBe("forbidden");
      }, mode);
    }
    await atTheDoor(async ({ joining, enter }) => {
      expect(await kindOf(joining.signUp("ann@example.com", joiner()))).toBe("done");
      expect(await kindOf(joining.signUp("ANN@example.com", joiner("another password")))).toBe(
        "invalid_parameter",
      );
      expect(await kindOf(enter("ann@example.com", GOOD))).toBe("done");
    }, "open");
  });

  test("an invitation holds for its address, once, for a week", () =>
    atTheDoor(async ({ joining, moment }) => {
      const secret = await joining.invite("bob@example.com");
      expect((await joining.acceptInvite(secret, joiner())).user).toMatchObject({
        email: "bob@example.com",
        role: "member",
      });
      expect(await kindOf(joining.acceptInvite(secret, joiner()))).toBe("forbidden");
      const old = await joining.invite("cat@example.com");
      moment.advance(7 * 86_400_000);
      expect(await kindOf(joining.acceptInvite(old, joiner()))).toBe("forbidden");
      expect(await kindOf(joining.reset(await joining.invite("dan@example.com"), joiner()))).toBe(
        "forbidden",
      );
    }));

  test("a reset link sets the password and ends every session and connected application", () =>
    atTheDoor(async ({ joining, users, enter, sessions }) => {
      const ann = await joining.createWithPassword("ann@example.com", GOOD);
      const before = await enter("ann@example.com", GOOD);
      const cut: string[] = [];
      users.onCutOff((_tx, userId) => cut.push(userId));
      await joining.reset(await joining.resetSecret("ann@example.com"), joiner("a brand new one"));
      expect(sessions.find(before.secret)).toBeUndefined();
      expect(cut).toEqual([ann.id]);
      expect(await kindOf(enter("ann@example.com", GOOD))).toBe("unauthenticated");
      expect(await kindOf(enter("ann@example.com", "a brand new one"))).toBe("done");
    }));
});

test("hashes wait in line, and a crowd is asked to come back", async () => {
  const passwords = new Passwords();
  const outcomes = await Promise.all(Array.from({ length: 80 }, () => kindOf(passwords.hash("short"))));
  expect(new Set(outcomes)).toEqual(new Set(["invalid_parameter"]));
  const crowd = await Promise.all(Array.from({ length: 70 }, () => kindOf(passwords.verify("x", null))));
  expect(crowd.filter((kind) => kind === "unavailable")).toHaveLength(4);
  expect(await kindOf(passwords.verify("x", null))).toBe("done");
});
