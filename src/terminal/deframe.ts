import { concat } from "../kit/bytes.ts";

/** At an offset of a stream: a whole frame, the start of one, or bytes that start none. */
export type FrameRead<F> =
  | { readonly is: "frame"; readonly frame: F; readonly next: number }
  | { readonly is: "more" }
  | { readonly is: "broken"; readonly why: string };

export interface Frames<F> {
  readonly frames: readonly F[];
  /** Bytes of an incomplete frame, to be passed in with the next chunk. */
  readonly pending: Uint8Array;
  /** Present if the stream is no longer a sequence of frames; frames before that place are valid. */
  readonly broken?: string;
}

/**
 * Cuts a stream into frames, split anywhere. `read` must answer "broken" as early as possible, so that noise is
 * noticed. `longest` is the largest frame in bytes; `pending` always stays shorter.
 */
export function splitFrames<F>(
  pending: Uint8Array,
  chunk: Uint8Array,
  longest: number,
  read: (bytes: Uint8Array, at: number) => FrameRead<F>,
): Frames<F> {
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
  if (bytes.length - at >= longest)
    return { frames, pending: new Uint8Array(0), broken: `no frame in ${longest} bytes` };
  return { frames, pending: bytes.slice(at) };
}
