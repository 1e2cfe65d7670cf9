import type { TestServer } from "./server.ts";

/** A page as a browser requests it, its text with single spaces. */
export async function openPage(server: TestServer, path: string, headers: Record<string, string> = {}) {
  const answer = await server.get(path, { headers: { accept: "text/html", ...headers } });
  const text = (await answer.text()).replaceAll(/\s+/g, " ");
  return { status: answer.status, text, headers: answer.headers };
}

/** Markup without its tags. */
export function withoutTags(markup: string): string {
  return markup.replaceAll(/<[^>]*>/g, "").trim();
}

/** The hidden fields of the form on a page that asks for confirmation. */
export async function fieldsOf(
  browser: { open(path: string): Promise<Response> },
  path: string,
  act: string,
): Promise<Record<string, string>> {
  const text = await (await browser.open(path)).text();
  const form = [...text.matchAll(/<form\b[^>]*method="post"[^>]*>[^]*?<\/form>/g)]
    .map(([found]) => found)
    .find((found) => found.includes(`name="act" value="${act}"`));
  const inputs = (form ?? "").matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g);
  return Object.fromEntries([...inputs].map(([, name = "", value = ""]) => [name, value]));
}
