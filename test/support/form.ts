import type { TestServer } from "./server.ts";

/** Fills in the first form at a path, including its hidden fields, as a browser does. */
export async function submitForm(
  server: Pick<TestServer, "origin"> & { get(path: string, init?: RequestInit): Promise<Response> },
  path: string,
  fields: Record<string, string>,
): Promise<Response> {
  const form = await server.get(path);
  const cookie = form.headers
    .getSetCookie()
    .map((line) => line.split(";")[0])
    .join("; ");
  const hidden = [...(await form.text()).matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)];
  const body = new URLSearchParams({
    ...Object.fromEntries(hidden.map(([, name = "", value = ""]) => [name, value])),
    ...fields,
  });
  return server.get(path.split("?")[0] ?? path, {
    method: "POST",
    body: String(body),
    headers: { cookie, origin: server.origin, "content-type": "application/x-www-form-urlencoded" },
  });
}
