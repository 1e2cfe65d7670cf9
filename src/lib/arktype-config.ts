// Imported before arktype, only by `schema.ts`, to turn off its code generation, which takes 60 ms and 30 MB and does
// not pay off for a few values (docs/decisions/executable.md).
import { configure } from "arktype/config";

configure({ jitless: true });
