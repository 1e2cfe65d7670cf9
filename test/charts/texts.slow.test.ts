import { test } from "bun:test";
import { drawHostileNames } from "./hostile-names.ts";

test("for a hundred names, the drawing is XML and the name is text in it", () => drawHostileNames(100));
