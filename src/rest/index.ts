import { Elysia } from "elysia";
import type { ContextOf } from "../http/base-urls.ts";
import { ROUTES } from "../http/routes.ts";
import type { Runtime } from "../runtime.ts";
import { docs } from "./docs.ts";
import type { RequestHandler, RestHandlers } from "./handlers.ts";

/** The routes of REST, except those with a fast path (`app.ts`), and the OpenAPI document of all. */
export function rest(
  { query, statistics, ceoPay, ceoPayStatistics, companies, changes, export: exported }: RestHandlers,
  contextOf: ContextOf,
  runtime: Pick<Runtime, "secret">,
) {
  const mounted =
    (answer: RequestHandler) =>
    ({ request }: { request: Request }) =>
      answer(request, contextOf(request));
  return new Elysia({ name: "rest" })
    .use(docs(runtime, contextOf))
    .all(ROUTES.query.path, mounted(query))
    .all(ROUTES.statistics.path, mounted(statistics))
    .all(ROUTES.ceoPay.path, mounted(ceoPay))
    .all(ROUTES.ceoPayStatistics.path, mounted(ceoPayStatistics))
    .all(ROUTES.export.path, mounted(exported))
    .all(ROUTES.companies.path, mounted(companies))
    .all(ROUTES.changes.path, mounted(changes));
}
