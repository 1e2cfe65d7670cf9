/** The thread that renders pictures, which takes 50 to 80 ms of CPU each. Loaded with the first one. */
import bold from "@expo-google-fonts/inter/600SemiBold/Inter_600SemiBold.ttf" with { type: "file" };
import regular from "@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf" with { type: "file" };
import serif from "@expo-google-fonts/source-serif-4/500Medium/SourceSerif4_500Medium.ttf" with { type: "file" };
import { initWasm, Resvg } from "@resvg/resvg-wasm";
import code from "@resvg/resvg-wasm/index_bg.wasm" with { type: "file" };
import { messageOf } from "../errors.ts";

/** The thread's answer: the picture as PNG, or an error. */
export type FromPictureWorker = { png: Uint8Array<ArrayBuffer> } | { error: string };

declare const self: Worker;

answerOn(self);

function answerOn(port: Worker): void {
  const bytes = (file: string) => Bun.file(file).bytes();
  const loaded = Promise.all([regular, bold, serif].map(bytes)).then(async (fontBuffers) => {
    await initWasm(await bytes(code));
    return fontBuffers;
  });
  const draw = async (svg: string): Promise<FromPictureWorker> => {
    try {
      const font = { fontBuffers: await loaded, defaultFontFamily: "Inter" };
      const drawing = new Resvg(svg, { font });
      const image = drawing.render();
      // Copies the bytes, so that WebAssembly memory can be freed.
      const png = new Uint8Array(image.asPng());
      image.free();
      drawing.free();
      return { png };
    } catch (error) {
      return { error: messageOf(error) };
    }
  };
  port.addEventListener("message", ({ data }: MessageEvent<string>) => {
    void draw(data).then((message) => port.postMessage(message));
  });
}
