/**
 * Plays a user with a browser: `bun browser.ts URL` opens an authorization request of our server, signs in as `PERSON`, approves, and
 * follows the redirect to the client.
 */
import { BrowserSession, PERSON } from "../../test/contract/oauth/support.ts";

const url = new URL(process.argv[2] ?? "");
const session = new BrowserSession({ origin: url.origin, port: Number(url.port) });
await fetch(await session.decide(url.href, "approve", PERSON));
