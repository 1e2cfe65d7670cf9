/**
 * `/admin`: where owners run the service. The pages are loaded by the first request for one, to keep them out of the
 * startup time.
 * @see docs/contract.md, "Pages"
 */
import { Elysia } from "elysia";
import { ROUTE_NAMES } from "../../http/routes.ts";
import { mount } from "../forms.ts";
import type { AdminDeps } from "./frame.ts";
import type { AdminRoute } from "./pages.ts";

const ADMIN_ROUTES = ROUTE_NAMES.filter((name): name is AdminRoute => name.startsWith("admin"));

/** The routes of `/admin`. */
export function admin(deps: AdminDeps) {
  let loaded: Promise<ReturnType<(typeof import("./pages.ts"))["adminPages"]>> | undefined;
  const load = () => (loaded ??= import("./pages.ts").then(({ adminPages }) => adminPages(deps)));
  const app = new Elysia({ name: "admin" });
  for (const name of ADMIN_ROUTES) mount(app, name, async (pageRequest) => (await load())[name](pageRequest));
  return app;
}
