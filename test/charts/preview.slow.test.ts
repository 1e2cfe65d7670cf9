import { test } from "bun:test";
import { drawHostileNames } from "./hostile-names.ts";

test("whatever a hundred names hold, the drawing is XML and the name is text in it", () =>
  drawHostileNames(100));
