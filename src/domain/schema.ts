/** arktype as this program uses it: without code generation, and loaded, its configuration included, only by what needs it. */
import "./lean.ts";

export { type, type Type } from "arktype";
