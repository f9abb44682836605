import path from "node:path";

/** sun_path holds 108 bytes on Linux and 104 on macOS, the closing zero included (unix(7)). */
const MAX_PATH_BYTES = process.platform === "darwin" ? 103 : 107;

/** The control socket cannot be used, what answers on it is not a posbridge of this version, or it could not do what it was asked for. The message is one line with the mend. */
export class ControlFailed extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "ControlFailed";
  }
}

/** Where the daemon of a data folder listens. Throws ControlFailed where the path is too long for a socket. */
export function controlAddress(dataDir: string): string {
  const address = path.join(path.resolve(dataDir), "control.sock");
  const length = Buffer.byteLength(address);
  if (length > MAX_PATH_BYTES) {
    throw new ControlFailed(`${address} has ${length} bytes and a socket takes ${MAX_PATH_BYTES}; use a dataDir with a shorter path`);
  }
  return address;
}
