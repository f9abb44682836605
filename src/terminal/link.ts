/**
 * A stream of bytes to one device. Where bytes travel in reports (USB HID), a chunk of `incoming` is exactly one report, and a `write` is one or more whole ones
 * (`UsbLine` in driver.ts); a write of any other length is refused. On every other line the borders of chunks mean nothing.
 * `incoming` ends when the link is closed by either side and throws a LinkError when it broke.
 * `write` resolves when the bytes left this process, and rejects (never hangs) once the link is closed. `close` may be called at any time, also twice.
 */
export interface Link {
  readonly incoming: AsyncIterable<Uint8Array>;
  write(bytes: Uint8Array): Promise<void>;
  close(): Promise<void>;
}

export type LinkErrorCode = "not-found" | "no-permission" | "busy" | "lost" | "refused" | "timeout" | "failed";

/** Why a link could not be opened or broke: `message` is one line that names the device and the mend. */
export class LinkError extends Error {
  readonly code: LinkErrorCode;

  constructor(code: LinkErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "LinkError";
    this.code = code;
  }
}

/** The other side is not there, or has gone away: unplugged, switched off, hung up. A network tells of that in as many ways as there are machines on the way. */
export function isGone(error: unknown): boolean {
  return error instanceof LinkError && GONE.includes(error.code);
}

const GONE: readonly LinkErrorCode[] = ["lost", "timeout", "not-found"];

/** Opens a fresh link each time it is called: what a terminal's configuration becomes. */
export type OpenLink = () => Promise<Link>;
