/**
 * A byte stream to one device. On USB HID each chunk is one report, and a `write` must be whole reports (`UsbLine` in
 * driver.ts); elsewhere chunk borders mean nothing. `incoming` ends when either side closes, and throws a LinkError on
 * failure. `write` resolves when the bytes have left the process, and rejects once the link is closed. `close` may be
 * repeated.
 */
export interface Link {
  readonly incoming: AsyncIterable<Uint8Array>;
  write(bytes: Uint8Array): Promise<void>;
  close(): Promise<void>;
}

export type LinkErrorCode = "not-found" | "no-permission" | "busy" | "lost" | "refused" | "timeout" | "failed";

/** Why a link failed: `message` is one line that names the device and the fix. */
export class LinkError extends Error {
  readonly code: LinkErrorCode;

  constructor(code: LinkErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "LinkError";
    this.code = code;
  }
}

/** Whether the other side is missing: unplugged, switched off, hung up. Networks report this in different ways. */
export function isGone(error: unknown): boolean {
  return error instanceof LinkError && GONE.includes(error.code);
}

const GONE: readonly LinkErrorCode[] = ["lost", "timeout", "not-found"];

/** Opens a new link on each call. */
export type OpenLink = () => Promise<Link>;
