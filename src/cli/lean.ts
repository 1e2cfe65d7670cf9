// Imported before everything else: a command that loads arktype then compiles no code with it, which costs 60 ms and
// 30 MB and gains nothing for a handful of values (docs/decisions/executable.md).
import { configure } from "arktype/config";

configure({ jitless: true });
