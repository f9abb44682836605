import type { HoldPorts } from "./held-file.ts";
import { systemPlatform } from "./system-platform.ts";

const never = new Int32Array(new SharedArrayBuffer(4));

/** Hold ports of this machine. The pause blocks the whole process, because its callers have half replaced a file. */
export const systemHold: HoldPorts = { platform: systemPlatform, pause: (ms) => void Atomics.wait(never, 0, 0, ms) };
