import { onDemand } from "../server/app.ts";
import { command } from "./command.ts";

/** `execcomp openapi` */
export const openapi = command({
  name: "openapi",
  summary: "Print the OpenAPI 3.1 document of the REST API.",
  operands: [],
  flags: {},
  settings: [],
  examples: [["openapi", "As served at /api/openapi.json."]],
  async run(_given, io) {
    io.printJson(await onDemand.openApiDocument());
    return 0;
  },
});
