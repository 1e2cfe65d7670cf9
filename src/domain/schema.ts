/** arktype, configured without code generation. Import it from here, and only where it is needed. */
import "./lean.ts";

export { type, type Type } from "arktype";
