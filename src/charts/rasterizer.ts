/** Renders SVG to PNG, in sequence, on a thread that exists only while pictures are requested. */
import { messageOf, ServiceError } from "../errors.ts";
import { askWorker, workerAddress } from "../threads.ts";
import type { FromPictureWorker } from "./worker.ts";

/** Maximum number of waiting pictures; further requests are refused. */
const MAX_WAITING = 16;
/** Timeout. A picture takes 0.1 s, the first one 0.5 s. */
const MAX_DRAWING_MS = 20_000;
/** How long an idle thread is kept; it holds 30 MB. */
const IDLE_MS = 30_000;

/** Renders pictures. */
export interface Rasterizer {
  /** Renders a drawing as PNG. Refuses with `unavailable` if too many are waiting, or the thread fails. */
  png(svg: string): Promise<Uint8Array<ArrayBuffer>>;
  /** Ends the thread. */
  close(): void;
}

/** Creates a rasterizer, without starting the thread. */
export function createRasterizer({ idleMs = IDLE_MS, maxDrawingMs = MAX_DRAWING_MS } = {}): Rasterizer {
  let worker: Worker | undefined;
  let idle: ReturnType<typeof setTimeout> | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  const end = () => {
    clearTimeout(idle);
    worker?.terminate();
    worker = undefined;
  };
  const draw = async (svg: string): Promise<Uint8Array<ArrayBuffer>> => {
    clearTimeout(idle);
    worker ??= new Worker(workerAddress("charts/worker"));
    worker.unref();
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(() => late.reject(new Error("it took too long")), maxDrawingMs);
    timer.unref();
    try {
      const answer = await Promise.race([askWorker<FromPictureWorker>(worker, svg), late.promise]);
      if ("error" in answer) throw new Error(answer.error);
      idle = setTimeout(end, idleMs);
      idle.unref();
      return answer.png;
    } catch (error) {
      end();
      throw new ServiceError("unavailable", `The picture could not be drawn (${messageOf(error)}).`, {
        retryAfterSeconds: 60,
      });
    } finally {
      clearTimeout(timer);
    }
  };
  return {
    png(svg) {
      if (waiting >= MAX_WAITING)
        throw new ServiceError("unavailable", "Too many pictures are waiting. Try again in a moment.", {
          retryAfterSeconds: 5,
        });
      waiting += 1;
      const picture = last.then(() => draw(svg)).finally(() => (waiting -= 1));
      last = picture.catch(() => undefined);
      return picture;
    },
    close: end,
  };
}
