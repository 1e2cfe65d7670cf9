/** More spellings and terminals than in the quick test of the same name. */
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { cli } from "../support/cli.ts";
import { tempFolder } from "../support/folder.ts";

const environment = { EXECCOMP_DATA_DIR: join(tempFolder(), "none") };
const ask = (...words: string[]) => cli(...words, { environment });

describe("show, explain and history", () => {
  test("finds a company by one unambiguous name, and lists all that a word matches", async () => {
    const apple = await ask("show", "AAPL", "--years", "1");
    for (const name of ["apple", "Apple Inc.", "aPPle"]) {
      expect((await ask("show", name, "--years", "1")).out).toBe(apple.out);
    }
    expect((await ask("show", "facebook", "--years", "1")).out).toContain("(META)");
    const several = await ask("show", "american");
    expect([several.code, several.out]).toEqual([1, ""]);
    expect(several.err).toMatch(/"american" matches .*\(AXP\).*Specify one by its ticker/);
    expect((await ask("explain", "apple", "2025", "tim-cook", "salary")).out).toContain("3,000,000");
    expect((await ask("explain", "apple", "2024", "tim-cook")).code).toBe(0);
  });

  test("explain and history accept words of an executive's name, and list all whom a word matches", async () => {
    const byId = await ask("explain", "AAPL", "2025", "kate-adams", "salary");
    for (const name of ["Kate Adams", "adams", "ADAMS kate"])
      expect((await ask("explain", "apple", "2025", name, "salary")).out).toBe(byId.out);
    expect((await ask("explain", "apple", "2024", "Tim Cook")).out).toContain("74,609,802");
    const several = await ask("explain", "JNJ", "2024", "j");
    expect(several).toMatchObject({ code: 1, out: "" });
    expect(several.err).toMatch(/"j" matches j-duato, .*Specify one by id/);
    expect((await ask("explain", "apple", "2025", "zaphod", "salary")).err).toContain("No row for zaphod");
  });
});

describe("a terminal", () => {
  test.each([40, 60, 80])(
    "of %d characters gets tables that fit, in plain text with NO_COLOR",
    async (terminal) => {
      for (const words of [
        "query --max-rows 5",
        "stats --group-by sector",
        "compare AAPL MSFT",
        "find apple",
        "coverage AAPL",
      ]) {
        const styled = await cli(...words.split(" "), { terminal, environment });
        const { out } = await cli(...words.split(" "), {
          terminal,
          environment: { ...environment, NO_COLOR: "1" },
        });
        expect(Bun.stripANSI(styled.out)).toBe(out);
        const long = out.split("\n").filter((line) => line.length > terminal && !line.startsWith("(no room"));
        expect([words, long]).toEqual([words, []]);
        // oxlint-disable-next-line no-control-regex
        expect(out).not.toMatch(/\x1b/);
      }
    },
  );
});
