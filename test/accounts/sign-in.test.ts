import { eq } from "drizzle-orm";
import { knownDevice, SignIns, type SignUpMode } from "../../src/accounts/sign-in.ts";
import { signInFailures, users as usersTable } from "../../src/store/schema.ts";
import { describe, expect, test, spyOn } from "bun:test";
import { ServiceError } from "../../src/errors.ts";
import { SignUp } from "../../src/accounts/sign-up.ts";
import { Links } from "../../src/accounts/links.ts";
import { Passwords } from "../../src/accounts/passwords.ts";
import { Throttle } from "../../src/accounts/sign-in-throttle.ts";
import { Sessions } from "../../src/accounts/sessions.ts";
import { testRuntime } from "../support/runtime.ts";
import { openAccounts, temporaryFolder } from "../support/accounts.ts";
import { cheapPasswords } from "../support/passwords.ts";
import { until } from "../support/until.ts";

const GOOD = "correct horse battery";
const BROWSER = { address: "198.51.100.1", userAgent: null };
const newPassword = (password = GOOD) => ({
  password,
  address: "198.51.100.1",
  userAgent: null,
  previous: null,
});

async function withSignIn<T>(
  work: (parts: ReturnType<typeof openParts>) => Promise<T>,
  signUp: SignUpMode = "invite",
  passwords?: Passwords,
) {
  using folder = temporaryFolder();
  const parts = openParts(folder.path, signUp, passwords);
  try {
    return await work(parts);
  } finally {
    await parts.store.close();
  }
}

function openParts(dataDir: string, signUp: SignUpMode, passwords = cheapPasswords()) {
  const moment = testRuntime();
  const all = openAccounts(dataDir, moment);
  const { store, users } = all;
  const sessions = new Sessions(store, moment);
  const links = new Links(store, moment);
  const throttle = new Throttle(store, moment);
  const entry = { store, runtime: moment, users, passwords, sessions, links, throttle, signUp, domains: [] };
  const signUps = new SignUp(entry);
  const signIns = new SignIns(entry);
  const enter = (
    email: string,
    password: string,
    address = "198.51.100.1",
    previous: string | null = null,
    device: string | null = null,
  ) => signIns.byPassword({ email, password, address, userAgent: "test", previous, device });
  return { ...all, moment, sessions, links, signUps, signIns, passwords, enter };
}

const kindOf = (promise: Promise<unknown>) =>
  promise.then(
    () => "done",
    (error: unknown) => (error instanceof Error && "kind" in error ? error.kind : error),
  );

describe("signing in", () => {
  test("opens a session for any spelling of the address, and never reuses the previous one", () =>
    withSignIn(async ({ signUps, enter, sessions }) => {
      await signUps.createWithPassword("ann@example.com", GOOD);
      const first = await enter(" Ann@Example.COM ", GOOD);
      expect(await sessions.find(first.secret)).toMatchObject({
        user: { email: "ann@example.com", role: "owner" },
      });
      const planted = await enter("ann@example.com", GOOD, "198.51.100.1", first.secret);
      expect(planted.secret).not.toBe(first.secret);
      expect(await sessions.find(first.secret)).toBeUndefined();
      expect((await sessions.find(planted.secret))?.user.id).toBe(planted.user.id);
    }));

  test("an unknown account, a wrong password, no password and a disabled user get the same answer", () =>
    withSignIn(async ({ signUps, users, enter }) => {
      await signUps.createWithPassword("ann@example.com", GOOD);
      await users.findOrCreate("bare@example.com");
      const gone = await signUps.createWithPassword("gone@example.com", GOOD);
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
      expect(new Set(told)).toEqual(new Set(["ServiceError: Wrong e-mail or password."]));
    }));

  test("an unknown account costs the same work as a wrong password", () =>
    withSignIn(
      async ({ signUps, passwords, enter }) => {
        await signUps.createWithPassword("ann@example.com", GOOD);
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
        // Both ran argon2id once: without it, a refusal would take a hundredth of this.
        expect(Math.min(wrong, unknown)).toBeGreaterThan(Math.max(wrong, unknown) / 10);
      },
      "invite",
      new Passwords(),
    ));

  test("the sixth attempt at an account from an address must wait; other addresses need not", () =>
    withSignIn(async ({ signUps, enter, moment }) => {
      await signUps.createWithPassword("ann@example.com", GOOD);
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
    withSignIn(async ({ enter }) => {
      const tries: unknown[] = [];
      for (let n = 0; n < 6; n += 1) tries.push(await kindOf(enter("nobody@example.com", "guess")));
      expect(tries.at(-1)).toBe("rate_limited");
    }));

  test("one address can guess at no more than fifty accounts; others are not delayed", () =>
    withSignIn(async ({ signUps, enter, moment }) => {
      await signUps.createWithPassword("ann@example.com", GOOD);
      const tries: unknown[] = [];
      for (let n = 0; n < 51; n += 1) tries.push(await kindOf(enter(`user-${n}@example.com`, "guess")));
      expect(tries.filter((kind) => kind === "unauthenticated")).toHaveLength(50);
      expect(tries.at(-1)).toBe("rate_limited");
      expect(await kindOf(enter("ann@example.com", GOOD))).toBe("rate_limited");
      expect(await kindOf(enter("ann@example.com", GOOD, "198.51.100.2"))).toBe("done");
      moment.advance(15 * 60_000);
      expect(await kindOf(enter("ann@example.com", GOOD))).toBe("done");
    }));

  test("a correct password resets the count of wrong attempts", () =>
    withSignIn(async ({ signUps, enter }) => {
      await signUps.createWithPassword("ann@example.com", GOOD);
      for (let round = 0; round < 3; round += 1) {
        for (let n = 0; n < 4; n += 1)
          expect(await kindOf(enter("ann@example.com", "guess"))).toBe("unauthenticated");
        expect(await kindOf(enter("ann@example.com", GOOD))).toBe("done");
      }
    }));
});

describe("sessions", () => {
  test("expire, and end on signing out, signing out everywhere, and when the user is disabled", () =>
    withSignIn(async ({ signUps, users, enter, sessions, moment, store }) => {
      const ann = await signUps.createWithPassword("ann@example.com", GOOD);
      await signUps.createWithPassword("bob@example.com", GOOD);
      const others = await enter("bob@example.com", GOOD);
      const [one, two, three] = [
        await enter("ann@example.com", GOOD),
        await enter("ann@example.com", GOOD),
        await enter("ann@example.com", GOOD),
      ];
      await sessions.end(one.secret);
      expect(await sessions.find(one.secret)).toBeUndefined();
      await sessions.endAll(ann.id, two.secret);
      expect([(await sessions.find(two.secret))?.user.id, await sessions.find(three.secret)]).toEqual([
        ann.id,
        undefined,
      ]);
      expect(await sessions.find(others.secret)).toBeDefined();
      await users.disable(ann.id);
      await users.enable(ann.id);
      expect(await sessions.find(two.secret)).toBeUndefined();
      const four = await enter("ann@example.com", GOOD);
      for (let day = 0; day < 29; day += 1) {
        moment.advance(86_400_000);
        expect(await sessions.find(four.secret)).toBeDefined();
        // Recorded after the answer, in a separate commit.
        await until("the use is recorded", () => {
          const seen = store.client.query("SELECT max(last_seen_at_ms) AS at FROM sessions").get();
          return (seen as { at: number }).at === moment.now();
        });
      }
      moment.advance(86_400_000);
      expect(await sessions.find(four.secret)).toBeUndefined();
      const five = await enter("ann@example.com", GOOD);
      moment.advance(14 * 86_400_000 + 1);
      expect(await sessions.find(five.secret)).toBeUndefined();
      expect(JSON.stringify(store.client.query("SELECT * FROM sessions").all())).not.toContain(five.secret);
    }));

  test("a disabled user's session is invalid, however it was opened", () =>
    withSignIn(async ({ signUps, users, sessions, store }) => {
      const ann = await signUps.createWithPassword("ann@example.com", GOOD);
      await users.disable(ann.id);
      const browser = { ...BROWSER, previous: null };
      const open = () => store.transact((tx) => sessions.open(tx, ann, browser, "link"));
      expect(await sessions.find((await open()).secret)).toBeUndefined();
      await users.enable(ann.id);
      expect(await sessions.find((await open()).secret)).toBeDefined();
      await users.delete(ann.id);
      expect(await sessions.find((await open()).secret)).toBeUndefined();
    }));
});

describe("creating an account", () => {
  test("the set-up link creates the owner, once; a later start invalidates the earlier link", () =>
    withSignIn(async ({ signUps, sessions }) => {
      const stale = await signUps.setUpSecret();
      const secret = await signUps.setUpSecret();
      expect(await kindOf(signUps.setUp(stale ?? "", "eve@example.com", newPassword()))).toBe("forbidden");
      const session = await signUps.setUp(secret ?? "", "ann@example.com", newPassword());
      expect((await sessions.find(session.secret))?.user).toMatchObject({
        email: "ann@example.com",
        role: "owner",
      });
      expect(await kindOf(signUps.setUp(secret ?? "", "eve@example.com", newPassword()))).toBe("forbidden");
      expect(await signUps.setUpSecret()).toBeNull();
    }));

  test("a set-up link created while the owner was disabled is refused once the owner is enabled", () =>
    withSignIn(async ({ signUps, users }) => {
      const ann = await signUps.createWithPassword("ann@example.com", GOOD);
      await users.disable(ann.id);
      const secret = (await signUps.setUpSecret()) ?? "";
      await users.enable(ann.id);
      expect(await kindOf(signUps.setUp(secret, "eve@example.com", newPassword()))).toBe("forbidden");
      expect(await users.list()).toHaveLength(1);
    }));

  test("while there is no owner, no other link creates one", () =>
    withSignIn(async ({ signUps, users }) => {
      await users.findOrCreate("bob@example.com");
      for (const secret of [
        await signUps.invite("eve@example.com"),
        await signUps.resetSecret("bob@example.com"),
      ])
        expect(await kindOf(signUps.setUp(secret, "eve@example.com", newPassword()))).toBe("forbidden");
      expect(await users.hasOwner()).toBe(false);
    }));

  test("the first owner is unmetered, by link or by command; users and later owners are not", () =>
    withSignIn(async ({ signUps, users, credits }) => {
      const isFree = async (id: string) => (await credits.summary(id)).unmetered;
      const link = (await signUps.setUpSecret()) ?? "";
      const first = await signUps.setUp(link, "ann@example.com", newPassword());
      const second = await signUps.createWithPassword("bob@example.com", GOOD);
      await users.setRole(second.id, "owner");
      expect([await isFree(first.user.id), await isFree(second.id)]).toEqual([true, false]);
    }).then(() =>
      withSignIn(async ({ signUps, credits }) => {
        const first = await signUps.createWithPassword("ann@example.com", GOOD);
        expect(await credits.summary(first.id)).toMatchObject({ unmetered: true, balance: 0 });
      }),
    ));

  test("two simultaneous uses of the set-up link create one owner", () =>
    withSignIn(async ({ signUps, users }) => {
      const secret = (await signUps.setUpSecret()) ?? "";
      const both = ["ann@example.com", "eve@example.com"].map((email) =>
        kindOf(signUps.setUp(secret, email, newPassword())),
      );
      expect((await Promise.all(both)).toSorted()).toEqual(["done", "forbidden"]);
      expect(await users.list()).toHaveLength(1);
    }));

  test("a short password does not use up the link", () =>
    withSignIn(async ({ signUps }) => {
      const secret = (await signUps.setUpSecret()) ?? "";
      expect(await kindOf(signUps.setUp(secret, "ann@example.com", newPassword("short")))).toBe(
        "invalid_parameter",
      );
      expect(await kindOf(signUps.setUp(secret, "ann@example.com", newPassword()))).toBe("done");
    }));

  test("the set-up link makes an owner of a user that a command created", () =>
    withSignIn(async ({ signUps, users }) => {
      const { id } = await users.findOrCreate("ann@example.com");
      await signUps.setUp((await signUps.setUpSecret()) ?? "", "ann@example.com", newPassword());
      expect(await users.findById(id)).toMatchObject({ role: "owner", hasPassword: true });
    }));

  test("sign-up is refused unless open, and never takes over an account", async () => {
    for (const mode of ["invite", "closed"] as const) {
      await withSignIn(async ({ signUps }) => {
        expect(await kindOf(signUps.signUp("ann@example.com", GOOD, BROWSER))).toBe("forbidden");
      }, mode);
    }
    await withSignIn(async ({ signUps, enter }) => {
      expect(await kindOf(signUps.signUp("ann@example.com", GOOD, BROWSER))).toBe("done");
      // The answers are identical and nothing has changed: they do not reveal who has an account.
      expect(await kindOf(signUps.signUp("ANN@example.com", "another password", BROWSER))).toBe("done");
      expect(await kindOf(enter("ann@example.com", "another password"))).toBe("unauthenticated");
      expect(await kindOf(enter("ann@example.com", GOOD))).toBe("done");
    }, "open");
  });

  test("no password is hashed without a valid link", () =>
    withSignIn(async ({ signUps, passwords }) => {
      const hashed = spyOn(passwords, "hash");
      for (const use of [
        signUps.setUp("none", "eve@example.com", newPassword()),
        signUps.acceptInvite("none", newPassword()),
        signUps.reset("none", newPassword(), "keep"),
      ])
        expect(await kindOf(use)).toBe("forbidden");
      expect(hashed).not.toHaveBeenCalled();
    }));

  test("an invitation is valid for its address, once, for a week", () =>
    withSignIn(async ({ signUps, moment }) => {
      const secret = await signUps.invite("bob@example.com");
      expect((await signUps.acceptInvite(secret, newPassword())).user).toMatchObject({
        email: "bob@example.com",
        role: "member",
      });
      expect(await kindOf(signUps.acceptInvite(secret, newPassword()))).toBe("forbidden");
      const old = await signUps.invite("cat@example.com");
      moment.advance(7 * 86_400_000);
      expect(await kindOf(signUps.acceptInvite(old, newPassword()))).toBe("forbidden");
      expect(
        await kindOf(signUps.reset(await signUps.invite("dan@example.com"), newPassword(), "keep")),
      ).toBe("forbidden");
    }));

  test("an invitation ends with the account of its address", () =>
    withSignIn(async ({ signUps, users }) => {
      const secret = await signUps.invite("ann@example.com");
      const { id } = await users.findOrCreate("ann@example.com");
      await users.delete(id);
      expect(await kindOf(signUps.acceptInvite(secret, newPassword()))).toBe("forbidden");
      expect(await users.list()).toEqual([]);
    }));

  test("an invitation never replaces a password: an existing user is not invited, nor one who came in the meantime", () =>
    withSignIn(async ({ signUps, users, enter, sessions }) => {
      const early = await signUps.invite("ann@example.com");
      await signUps.createWithPassword("ann@example.com", GOOD);
      const session = await enter("ann@example.com", GOOD);
      await expect(signUps.invite("ANN@example.com")).rejects.toThrow(
        "ann@example.com is already a user. For a link to set a new password: execcomp users reset-password",
      );
      expect(await kindOf(signUps.acceptInvite(early, newPassword("a brand new one")))).toBe("forbidden");
      await users.findOrCreate("bob@example.com");
      expect(await kindOf(signUps.invite("bob@example.com"))).toBe("invalid_parameter");
      expect(await sessions.find(session.secret)).toBeDefined();
      expect(await kindOf(enter("ann@example.com", GOOD))).toBe("done");
    }));

  test("only the operator can disable the last owner who can sign in", () =>
    withSignIn(async ({ signUps, users }) => {
      const ann = await signUps.createWithPassword("ann@example.com", GOOD);
      await signUps.createWithPassword("bob@example.com", GOOD);
      const self = { actor: ann.id, address: "198.51.100.1", userAgent: null, form: null };
      expect(await kindOf(users.disable(ann.id, self))).toBe("forbidden");
      expect((await users.findById(ann.id))?.disabledAtMs).toBeNull();
      await users.disable(ann.id);
      expect(await users.hasOwner()).toBe(false);
    }));

  test("no link admits a disabled user or sets a password", () =>
    withSignIn(async ({ signUps, users, enter }) => {
      const ann = await signUps.createWithPassword("ann@example.com", GOOD);
      const links = {
        reset: await signUps.resetSecret("ann@example.com"),
        invite: await signUps.invite("bob@example.com"),
      };
      await users.disable((await signUps.createWithPassword("bob@example.com", GOOD)).id);
      await users.disable(ann.id);
      const other = newPassword("a brand new one");
      expect(await kindOf(signUps.reset(links.reset, other, "keep"))).toBe("forbidden");
      expect(await kindOf(signUps.acceptInvite(links.invite, other))).toBe("forbidden");
      await users.enable(ann.id);
      expect(await kindOf(enter("ann@example.com", GOOD))).toBe("done");
    }));

  test("a forgotten password gets one link in ten minutes", () =>
    withSignIn(async ({ signUps, moment }) => {
      await signUps.createWithPassword("ann@example.com", GOOD);
      const ask = () => signUps.requestReset("ann@example.com", BROWSER);
      expect(await ask()).toStartWith("xc_link_");
      expect(await ask()).toBeNull();
      moment.advance(10 * 60_000 - 1);
      expect(await ask()).toBeNull();
      moment.advance(1);
      expect(await ask()).toStartWith("xc_link_");
    }));

  test("a reset link sets the password and ends every session and connected application", () =>
    withSignIn(async ({ signUps, users, enter, sessions }) => {
      const ann = await signUps.createWithPassword("ann@example.com", GOOD);
      const before = await enter("ann@example.com", GOOD);
      const cut: string[] = [];
      users.onAccessEnded(async (_tx, userId) => {
        cut.push(userId);
      });
      await signUps.reset(
        await signUps.resetSecret("ann@example.com"),
        newPassword("a brand new one"),
        "keep",
      );
      expect(await sessions.find(before.secret)).toBeUndefined();
      expect(cut).toEqual([ann.id]);
      expect(await kindOf(enter("ann@example.com", GOOD))).toBe("unauthenticated");
      expect(await kindOf(enter("ann@example.com", "a brand new one"))).toBe("done");
    }));
});

describe("keys that another person may have created", () => {
  const setUp = async ({ users, keys }: ReturnType<typeof openParts>) => {
    const ann = await users.requireByEmail("ann@example.com");
    const { secret } = await keys.create(ann.id, { name: "k" });
    return async () => (await keys.find(secret, "198.51.100.1")) !== undefined;
  };

  test.each([
    ["revoke", false],
    ["keep", true],
  ] as const)("a reset that says %s", (choice, held) =>
    withSignIn(async (parts) => {
      await parts.signUps.createWithPassword("ann@example.com", GOOD);
      const holds = await setUp(parts);
      const { id } = await parts.users.requireByEmail("ann@example.com");
      const ended = (await parts.keys.create(id, { name: "ended before" })).key;
      const { revokedAtMs } = await parts.keys.revoke(id, ended.id);
      parts.moment.advance(1000);
      await parts.signUps.reset(
        await parts.signUps.resetSecret("ann@example.com"),
        newPassword("a quite new one"),
        choice,
      );
      expect(await holds()).toBe(held);
      expect((await parts.keys.list(id)).find((key) => key.id === ended.id)?.revokedAtMs).toBe(revokedAtMs);
    }),
  );

  test("a reset for an address that had signed up without proof ends its earlier keys", () =>
    withSignIn(async (parts) => {
      await parts.signUps.signUp("ann@example.com", GOOD, BROWSER);
      const holds = await setUp(parts);
      const link = await parts.signUps.resetSecret("ann@example.com");
      await parts.signUps.reset(link, newPassword("a quite new one"), "keep");
      expect(await holds()).toBe(false);
    }, "open"));

  test("a reset for a verified address keeps them", () =>
    withSignIn(async (parts) => {
      await parts.signUps.createWithPassword("ann@example.com", GOOD);
      const holds = await setUp(parts);
      const link = await parts.signUps.resetSecret("ann@example.com");
      await parts.signUps.reset(link, newPassword("a quite new one"), "keep");
      expect(await holds()).toBe(true);
    }));
});

test("if the password changes during the check, no session is opened", () =>
  withSignIn(async ({ signUps, passwords, enter }) => {
    await signUps.createWithPassword("ann@example.com", GOOD);
    const verify = passwords.verify.bind(passwords);
    passwords.verify = async (password, hash) => {
      const right = await verify(password, hash);
      await signUps.createWithPassword("ann@example.com", "changed meanwhile");
      return right;
    };
    expect(await kindOf(enter("ann@example.com", GOOD))).toBe("unauthenticated");
  }));

test("a common password is refused, in any letter case, and the user's own address", async () => {
  const passwords = cheapPasswords();
  for (const common of ["password123", "1q2w3e4r5t", "QwertyUiop"]) {
    expect(await kindOf(passwords.hash(common, ""))).toBe("invalid_parameter");
  }
  expect(await kindOf(passwords.hash("correct horse battery", "ann@example.com"))).toBe("done");
  expect(await kindOf(passwords.hash("Ann@Example.com", "ann@example.com"))).toBe("invalid_parameter");
});

describe("a browser in which a user signed in before", () => {
  const EMAIL = "ann@example.com";

  test("is admitted while attackers have locked the account, and no one else is", () =>
    withSignIn(async ({ signUps, enter, moment }) => {
      await signUps.createWithPassword(EMAIL, GOOD);
      const { device = null } = await enter(EMAIL, GOOD);
      expect(device).toBeString();
      for (let n = 0; n < 100; n++) {
        moment.advance(1000);
        expect(await kindOf(enter(EMAIL, "wrong password", `203.0.113.${n % 25}`))).toBe("unauthenticated");
      }
      expect(await kindOf(enter(EMAIL, GOOD, "198.51.100.2"))).toBe("rate_limited");
      const again = await enter(EMAIL, GOOD, "203.0.113.1", null, device);
      // It keeps its token: a new one at each sign-in would start a new count each time.
      expect(again.device).toBeUndefined();
      for (const forged of ["", "x", `${device?.slice(0, -1)}x`, `A${device?.slice(1)}`]) {
        expect(await kindOf(enter(EMAIL, GOOD, "198.51.100.3", null, forged))).toBe("rate_limited");
      }
    }));

  test("guesses at most five times in 15 minutes too, and only at its own account", () =>
    withSignIn(async ({ signUps, enter }) => {
      await signUps.createWithPassword(EMAIL, GOOD);
      await signUps.createWithPassword("bob@example.com", GOOD);
      const { device = null } = await enter(EMAIL, GOOD);
      const guess = (n: number, email = EMAIL) =>
        kindOf(enter(email, "wrong password", `203.0.113.${n}`, null, device));
      for (let n = 0; n < 5; n++) expect(await guess(n)).toBe("unauthenticated");
      expect(await guess(6)).toBe("rate_limited");
      // For another account it is a stranger: five attempts per address, as for everyone.
      for (let n = 0; n < 5; n++) expect(await guess(7, "bob@example.com")).toBe("unauthenticated");
      expect(await guess(7, "bob@example.com")).toBe("rate_limited");
    }));

  test("is unknown once the password changes", () =>
    withSignIn(async ({ signUps, enter, users, store }) => {
      await signUps.createWithPassword(EMAIL, GOOD);
      const { device = null } = await enter(EMAIL, GOOD);
      await signUps.createWithPassword(EMAIL, "another good password");
      const { id } = await users.requireByEmail(EMAIL);
      const row = store.db.select().from(usersTable).where(eq(usersTable.id, id)).get();
      expect(knownDevice(device, row)).toBeNull();
    }));
});

test("an attempt that was answered 503 is not counted: by a full line, or by a store that fails after it was counted", () =>
  withSignIn(async ({ signUps, signIns, enter, passwords, store }) => {
    const { id } = await signUps.createWithPassword("ann@example.com", GOOD);
    await signUps.createWithPassword("bob@example.com", GOOD);
    const failures = () => store.read((db) => db.$count(signInFailures));
    const busy = new ServiceError("unavailable", "Too many people are signing in at once.");
    const verify = spyOn(passwords, "verify").mockRejectedValue(busy);
    for (let n = 0; n < 9; n += 1) {
      expect(await kindOf(enter("ann@example.com", GOOD))).toBe("unavailable");
      expect(await kindOf(enter("nobody@example.com", GOOD))).toBe("unavailable");
      expect(await kindOf(signIns.confirmPassword(id, GOOD, "198.51.100.1"))).toBe("unavailable");
      expect(await failures()).toBe(0);
    }
    verify.mockRestore();
    const transact = store.transact.bind(store);
    for (const [password, attempt] of [
      [GOOD, () => enter("bob@example.com", GOOD)],
      ["wrong", () => enter("bob@example.com", "wrong password")],
      ["confirmed", () => signIns.confirmPassword(id, GOOD, "198.51.100.1")],
    ] as const) {
      let calls = 0;
      // The first counts the attempt, the second would settle it.
      store.transact = (work) => (++calls === 2 ? Promise.reject(busy) : transact(work));
      expect([password, await kindOf(attempt()), await failures()]).toEqual([password, "unavailable", 0]);
    }
    store.transact = transact;
    // What came before stays counted.
    expect(await kindOf(enter("ann@example.com", "wrong password"))).toBe("unauthenticated");
    spyOn(passwords, "verify").mockRejectedValue(busy);
    expect(await kindOf(enter("ann@example.com", GOOD))).toBe("unavailable");
    expect(await failures()).toBe(1);
  }));

test("strangers cannot displace trusted browsers, which go first", async () => {
  const passwords = cheapPasswords();
  // In the order in which they began: when each ends depends on the machine.
  const began = spyOn(Bun.password, "verify");
  const verify = (whose: "trusted" | "strangers") => kindOf(passwords.verify(whose, null, whose));
  const strangers = Array.from({ length: 70 }, () => verify("strangers"));
  const trusted = Array.from({ length: 4 }, () => verify("trusted"));
  expect(await Promise.all(trusted)).toEqual(["done", "done", "done", "done"]);
  expect((await Promise.all(strangers)).filter((kind) => kind === "unavailable")).toHaveLength(4);
  const order = began.mock.calls.map(([password]) => String(password));
  began.mockRestore();
  expect(order).toHaveLength(70);
  // Two strangers had already started.
  expect(order.lastIndexOf("trusted")).toBe(5);
});

test("two hashes run at a time, even while new ones keep arriving", async () => {
  const passwords = cheapPasswords();
  let [running, most, begun] = [0, 0, 0];
  const verify = spyOn(Bun.password, "verify").mockImplementation(async () => {
    most = Math.max(most, ++running);
    begun++;
    await new Promise<void>((resolve) => void setImmediate(resolve));
    running--;
    return false;
  });
  const arrive = async (left: number): Promise<void> => {
    await passwords.verify("x", null);
    if (left > 0) await arrive(left - 1);
  };
  await Promise.all(Array.from({ length: 8 }, () => arrive(5)));
  verify.mockRestore();
  expect([begun, most]).toEqual([48, 2]);
});

test("hashes are queued, and beyond a limit callers are asked to retry", async () => {
  const passwords = cheapPasswords();
  const outcomes = await Promise.all(Array.from({ length: 80 }, () => kindOf(passwords.hash("short", ""))));
  expect(new Set(outcomes)).toEqual(new Set(["invalid_parameter"]));
  const kinds = await Promise.all(Array.from({ length: 70 }, () => kindOf(passwords.verify("x", null))));
  expect(kinds.filter((kind) => kind === "unavailable")).toHaveLength(4);
  expect(await kindOf(passwords.verify("x", null))).toBe("done");
});
