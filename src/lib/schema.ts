/** arktype, configured without code generation. Import it from here, and only where it is needed. */
import "./arktype-config.ts";

export { ArkErrors, type, type Type } from "arktype";
