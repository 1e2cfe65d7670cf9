import examples from "../../src/rest/examples.json";
import type { ExecutiveCompensation } from "../../src/domain/row-fields.ts";

/** Apple's chief executive, of the proxy statement of January 2026. */
// The server's own answer: test/rest/openapi.test.ts.
export const EXAMPLE_ROW = examples.getFacts.answer.executive_compensation[0] as ExecutiveCompensation;
