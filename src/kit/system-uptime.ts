import { uptime } from "node:os";

/** Milliseconds since the machine started. Unlike Linux's monotonic clock, it counts while the machine is suspended. */
export function systemUpMs(): number {
  return uptime() * 1000;
}
