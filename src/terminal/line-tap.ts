import type { FrameError } from "./driver.ts";

/** Hears what goes over a terminal's line, without a word in it. */
export interface LineTap {
  opened(): void;
  /** Bytes as the driver wrote them, and as the link delivered them. */
  sent(bytes: Uint8Array): void;
  received(bytes: Uint8Array): void;
  /** The driver saw that a frame went wrong. */
  frameError(error: FrameError): void;
  lost(): void;
}

const nothing = (): void => undefined;

/** Nobody listens. */
export const noTap: LineTap = { opened: nothing, sent: nothing, received: nothing, frameError: nothing, lost: nothing };
