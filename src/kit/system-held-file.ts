import type { HoldPorts } from "./held-file.ts";
import { systemPlatform } from "./system-platform.ts";

const never = new Int32Array(new SharedArrayBuffer(4));

/** This machine. Its pause stops the whole process, because the callers hold a file half replaced. */
export const systemHold: HoldPorts = { platform: systemPlatform, pause: (ms) => void Atomics.wait(never, 0, 0, ms) };
