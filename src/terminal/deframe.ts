import { concat } from "../kit/bytes.ts";

/** What stands at an offset of a byte stream: a whole frame, the beginning of one, or something that no frame begins with. */
export type FrameRead<F> =
  | { readonly is: "frame"; readonly frame: F; readonly next: number }
  | { readonly is: "more" }
  | { readonly is: "broken"; readonly why: string };

export interface Frames<F> {
  readonly frames: readonly F[];
  /** Bytes of a frame that is not whole yet, to be handed in again with the next chunk. */
  readonly pending: Uint8Array;
  /** Set where the stream cannot be a sequence of frames any more; the frames before that place are still good. */
  readonly broken?: string;
}

/**
 * Cuts a stream into frames, wherever the transport split it. `read` is asked at each offset; it must answer "broken" as soon as the bytes it sees cannot
 * become a frame, so that a stream of noise is noticed at once. `longest` is the largest frame in bytes: a beginning as long as that is broken, hence
 * `pending` is always shorter than that, whatever arrives.
 */
export function splitFrames<F>(pending: Uint8Array, chunk: Uint8Array, longest: number, read: (bytes: Uint8Array, at: number) => FrameRead<F>): Frames<F> {
  const bytes = pending.length === 0 ? chunk : concat(pending, chunk);
  const frames: F[] = [];
  let at = 0;
  while (at < bytes.length) {
    const found = read(bytes, at);
    if (found.is === "broken") return { frames, pending: new Uint8Array(0), broken: found.why };
    if (found.is === "more") break;
    frames.push(found.frame);
    at = found.next;
  }
  if (bytes.length - at >= longest) return { frames, pending: new Uint8Array(0), broken: `no frame in ${longest} bytes` };
  return { frames, pending: bytes.slice(at) };
}
