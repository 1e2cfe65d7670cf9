/**
 * Records the hashes that `test/contract/recorded-answers.test.ts` compares. Run it only for a change of data or
 * contract that is meant to change answers; the diff shows which ones.
 *
 *     bun scripts/record-answers.ts
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { answersOfTheSpec, RECORDED_ANSWERS } from "../test/support/recorded-answers.ts";

const answers = await answersOfTheSpec();
writeFileSync(join(import.meta.dir, "..", RECORDED_ANSWERS), `${answers.join("\n")}\n`);
console.log(`${RECORDED_ANSWERS}: ${answers.length} answers`);
