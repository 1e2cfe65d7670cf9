/** arktype, configured without code generation. Import it from here, and only where it is needed. */
import "./lean.ts";

export { ArkErrors, type, type Type } from "arktype";
