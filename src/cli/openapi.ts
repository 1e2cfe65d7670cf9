import { onDemand } from "../app.ts";
import { command } from "./command.ts";

/** `execcomp openapi` */
export const openapi = command({
  name: "openapi",
  summary: "Print the OpenAPI 3.1 description of the REST interface.",
  operands: [],
  flags: {},
  settings: [],
  examples: [["openapi", "The document that a server answers at /api/openapi.json."]],
  async run(_given, io) {
    io.printJson(await onDemand.openApiDocument());
    return 0;
  },
});
