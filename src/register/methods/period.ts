import { isoTime } from "../../kit/clock.ts";
import type { Period } from "../ports.ts";

/** Always with milliseconds, like the journal's times, so that text sorts by time. */
export function periodOf({ from, to }: { from?: string | undefined; to?: string | undefined }): Period {
  return { ...(from !== undefined && { from: normal(from) }), ...(to !== undefined && { to: normal(to) }) };
}

const normal = (time: string): string => isoTime(Date.parse(time));
