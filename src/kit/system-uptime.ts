import { uptime } from "node:os";

/** Milliseconds since this machine was started. Unlike the monotonic clock of Linux, it counts while the machine is suspended. */
export function systemUpMs(): number {
  return uptime() * 1000;
}
