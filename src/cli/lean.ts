// Imported before everything else: arktype then compiles no code of its own, which costs 60 ms of start-up and 30 MB
// and gains nothing while we validate a handful of parameters (measured in docs/performance.md).
import { configure } from "arktype/config";

configure({ jitless: true });
