import type { FrameError } from "./driver.ts";

/** Listens to a terminal's line without changing it. */
export interface LineTap {
  opened(): void;
  /** Bytes as the driver wrote them, and as the link delivered them. */
  sent(bytes: Uint8Array): void;
  received(bytes: Uint8Array): void;
  /** The driver detected a frame error. */
  frameError(error: FrameError): void;
  lost(): void;
}

const nothing = (): void => undefined;

/** Ignores everything. */
export const noTap: LineTap = { opened: nothing, sent: nothing, received: nothing, frameError: nothing, lost: nothing };
