import { expect, test } from "bun:test";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { COMPONENTS, EXAMPLE_ROW } from "../../src/domain/row-fields.ts";
import { openApiDocument } from "../../src/rest/docs.ts";

test("the document passes a public linter without an error", async () => {
  const config = await createConfig({ extends: ["recommended"] });
  const problems = await lintFromString({ source: JSON.stringify(await openApiDocument()), config });
  expect(problems.filter(({ severity }) => severity === "error")).toEqual([]);
});

test("the row schema has the 22 fields of the spec, all required, with their nullability", async () => {
  const document = JSON.parse(JSON.stringify(await openApiDocument()));
  const row = document.components.schemas.ExecutiveCompensation;
  expect(Object.keys(EXAMPLE_ROW)).toHaveLength(22);
  expect(row.required.toSorted()).toEqual(Object.keys(EXAMPLE_ROW).toSorted());
  const nullable = Object.keys(row.properties).filter((name) =>
    JSON.stringify(row.properties[name]).includes('"null"'),
  );
  expect(nullable.filter((name) => name !== "source").toSorted()).toEqual([
    "executive_role",
    "reported_year",
    "reporting_currency",
  ]);
});

test("the example adds up", () => {
  const sum = COMPONENTS.reduce((total, name) => total + EXAMPLE_ROW[name], 0);
  expect(sum).toBe(EXAMPLE_ROW.total_compensation);
});
