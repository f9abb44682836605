/** Hears what goes over a terminal's line, without a word in it. */
export interface LineTap {
  opened(): void;
  /** Bytes as the driver wrote them, and as the link delivered them. */
  sent(bytes: Uint8Array): void;
  received(bytes: Uint8Array): void;
  lost(): void;
}

const nothing = (): void => undefined;

/** Nobody listens. */
export const noTap: LineTap = { opened: nothing, sent: nothing, received: nothing, lost: nothing };
