// Imported before arktype (by `schema.ts` alone): it then compiles no code, which costs 60 ms and 30 MB and gains nothing
// for a handful of values (docs/decisions/executable.md).
import { configure } from "arktype/config";

configure({ jitless: true });
