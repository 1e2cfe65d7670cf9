import { afterAll, expect, test } from "bun:test";
import { PNG } from "pngjs";
import { createRasterizer } from "../../src/charts/rasterizer.ts";

const rasterizer = createRasterizer();
afterAll(() => rasterizer.close());

const drawing = (inside: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="200" height="60" viewBox="0 0 200 60"><rect width="200" height="60" fill="#ffffff"/>${inside}</svg>`;
const text = (words: string) =>
  drawing(`<text x="5" y="40" font-family="Inter" font-size="30">${words}</text>`);
/** How many pixels of a picture are dark. */
function darkDots(png: Uint8Array): number {
  const { data } = PNG.sync.read(Buffer.from(png));
  let dark = 0;
  for (let at = 0; at < data.length; at += 4) if ((data[at] ?? 255) < 128) dark += 1;
  return dark;
}

test("a drawing becomes a PNG of its size, with its text", async () => {
  const png = await rasterizer.png(text("Émile Ångström"));
  const { width, height } = PNG.sync.read(Buffer.from(png));
  expect([width, height]).toEqual([200, 60]);
  expect(darkDots(png)).toBeGreaterThan(500);
  expect(darkDots(await rasterizer.png(drawing("")))).toBe(0);
});

test("characters missing from the font are boxes and break nothing", async () => {
  expect(darkDots(await rasterizer.png(text("محمد 山田")))).toBeGreaterThan(100);
});

test("the same drawing gives the same bytes", async () => {
  expect(await rasterizer.png(text("Ada"))).toEqual(await rasterizer.png(text("Ada")));
});

test("an invalid drawing is refused, and the next one is drawn", async () => {
  await expect(rasterizer.png("<svg")).rejects.toMatchObject({ kind: "unavailable" });
  expect(darkDots(await rasterizer.png(text("Ada")))).toBeGreaterThan(100);
});

test("nothing external is read: a picture that references a file or a URL is drawn without it", async () => {
  const image = (href: string) => drawing(`<image href="${href}" width="200" height="60"/>`);
  for (const href of ["/etc/hostname", "file:///etc/hostname", "http://127.0.0.1:1/x.png"])
    expect(darkDots(await rasterizer.png(image(href)))).toBe(0);
});

test("a limited number may wait; one more is asked to retry", async () => {
  const all = Array.from({ length: 16 }, () => rasterizer.png(text("Ada")));
  expect(() => rasterizer.png(text("Ada"))).toThrow("Too many pictures are waiting");
  expect(new Set((await Promise.all(all)).map((png) => png.length)).size).toBe(1);
  expect((await rasterizer.png(text("Ada"))).length).toBeGreaterThan(100);
});

test("a drawing that takes too long is abandoned, since the next ones wait for it", async () => {
  const hasty = createRasterizer({ maxDrawingMs: 0 });
  await expect(hasty.png(text("Ada"))).rejects.toMatchObject({
    kind: "unavailable",
    message: expect.stringContaining("it took too long"),
  });
  hasty.close();
});

test("a thread that was stopped is restarted for the next picture", async () => {
  const short = createRasterizer({ idleMs: 0 });
  const first = await short.png(text("Ada"));
  await Bun.sleep(5);
  expect(await short.png(text("Ada"))).toEqual(first);
  short.close();
});
