/**
 * Plays a user with a browser: `bun browser.ts URL` opens an authorization request of our server, signs in with
 * `EXECCOMP_TEST_EMAIL`'s password, approves, and follows the redirect to the client. Never leaves this machine.
 */
const EMAIL = process.env["EXECCOMP_TEST_EMAIL"] ?? "";
const PASSWORD = process.env["EXECCOMP_TEST_PASSWORD"] ?? "";
/** Maximum number of pages and redirects to follow. */
const MAX_STEPS = 12;

const cookies = new Map<string, Map<string, string>>();

async function open(url: URL, init: RequestInit = {}): Promise<Response> {
  if (!["localhost", "127.0.0.1", "[::1]"].includes(url.hostname))
    throw new Error(`${url.href} is elsewhere`);
  const jar = cookies.get(url.host) ?? new Map<string, string>();
  cookies.set(url.host, jar);
  const headers = new Headers(init.headers);
  if (jar.size > 0) headers.set("cookie", [...jar].map(([name, value]) => `${name}=${value}`).join("; "));
  headers.set("accept", "text/html");
  const answer = await fetch(url, { ...init, headers, redirect: "manual" });
  for (const line of answer.headers.getSetCookie()) {
    const [name = "", value = ""] = (line.split(";")[0] ?? "").split("=");
    jar.set(name, value);
  }
  return answer;
}

function unescape(text: string): string {
  return text.replaceAll("&amp;", "&").replaceAll("&quot;", '"').replaceAll("&#39;", "'");
}

function formOf(
  page: string,
): { action: string; fields: URLSearchParams; kind: "sign-in" | "consent" } | undefined {
  for (const [form] of page.matchAll(/<form\b[^>]*>[^]*?<\/form>/g)) {
    const signIn = form.includes('type="password"');
    if (!signIn && !form.includes('name="decision"')) continue;
    const fields = new URLSearchParams();
    for (const [input] of form.matchAll(/<input\b[^>]*type="hidden"[^>]*>/g)) {
      fields.set(/name="([^"]*)"/.exec(input)?.[1] ?? "", unescape(/value="([^"]*)"/.exec(input)?.[1] ?? ""));
    }
    if (signIn) {
      fields.set("email", EMAIL);
      fields.set("password", PASSWORD);
    } else {
      fields.set("decision", "approve");
    }
    return {
      action: unescape(/action="([^"]*)"/.exec(form)?.[1] ?? ""),
      fields,
      kind: signIn ? "sign-in" : "consent",
    };
  }
  return undefined;
}

/** Follows redirects and submits forms, starting at a page. */
async function walk(start: string): Promise<void> {
  let url = new URL(start);
  let answer = await open(url);
  for (let step = 0; step < MAX_STEPS; step++) {
    const location = answer.headers.get("location");
    if (answer.status >= 300 && answer.status < 400 && location !== null) {
      url = new URL(location, url);
      answer = await open(url);
      continue;
    }
    const form = formOf(await answer.text());
    if (form === undefined) return;
    url = new URL(form.action, url);
    answer = await open(url, {
      method: "POST",
      headers: {
        "content-type": "application/x-www-form-urlencoded",
        origin: url.origin,
        "sec-fetch-site": "same-origin",
      },
      body: form.fields.toString(),
    });
  }
}

if (import.meta.main) await walk(process.argv[2] ?? "");
