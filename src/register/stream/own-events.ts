import { positionOf } from "../../kit/cursor.ts";
import { type Granted, granted } from "../../payment/request.ts";
import type { PaymentChange } from "../ports.ts";
import { followFrom, type Source, type Stream } from "./event-cursor.ts";

/**
 * A register's own changes. The socket follows them from before its first start, so that none is missed, until it
 * subscribes to everything.
 */
export interface OwnStream {
  /** Opens the stream if it is not open yet. Do not call it again before it has resolved. */
  ensure(): Promise<Granted<void>>;
  /**
   * Keeps changes until `resume` or `endAt`. Returns the cursor of the last delivered change; undefined: the stream was
   * never opened.
   */
  pause(): string | undefined;
  resume(): void;
  /**
   * Ends the stream. Kept changes up to the cursor are delivered; a stream that starts there repeats the later ones.
   */
  endAt(cursor: string): void;
  stop(): void;
}

export function openOwnStream(
  { payments, caller, broke }: Omit<Source, "from">,
  hear: (change: PaymentChange) => void,
): OwnStream {
  let stream: Stream | undefined;
  let kept: PaymentChange[] | undefined;
  let position: string | undefined;
  let stopped = false;

  /** A change of the prompt alone carries its payment's cursor, which may be lower than the last one. */
  const handOn = (change: PaymentChange): void => {
    if (position === undefined || positionOf(change.cursor) > positionOf(position)) position = change.cursor;
    hear(change);
  };
  const ensure = async (): Promise<Granted<void>> => {
    if (stream !== undefined) return granted(undefined);
    const from = await payments.cursor();
    const following = await followFrom({ payments, caller: { register: caller.register, all: false }, from, broke });
    if (!following.ok) return following;
    stream = following.value;
    position = from;
    if (stopped) stream.stop();
    stream.begin((change) => {
      if (kept === undefined) handOn(change);
      else kept.push(change);
    });
    return granted(undefined);
  };
  const pause = (): string | undefined => {
    kept = [];
    return position;
  };
  const resume = (): void => {
    const due = kept ?? [];
    kept = undefined;
    for (const change of due) handOn(change);
  };
  const stop = (): void => {
    stopped = true;
    stream?.stop();
  };
  const endAt = (cursor: string): void => {
    stop();
    kept = kept?.filter((change) => positionOf(change.cursor) <= positionOf(cursor));
    resume();
  };
  return { ensure, pause, resume, endAt, stop };
}
