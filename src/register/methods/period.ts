import { isoTime } from "../../kit/clock.ts";
import type { Period } from "../ports.ts";

/** Milliseconds always, as the journal writes its times, so that text compares as time does. */
export function periodOf({ from, to }: { from?: string | undefined; to?: string | undefined }): Period {
  return { ...(from !== undefined && { from: normal(from) }), ...(to !== undefined && { to: normal(to) }) };
}

const normal = (time: string): string => isoTime(Date.parse(time));
