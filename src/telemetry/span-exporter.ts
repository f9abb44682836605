import type { Cancel, Clock } from "../kit/clock.ts";
import type { Span } from "./span.ts";

/** The collector's answer. `again`: the same batch may be sent later. */
export type Delivery =
  | { readonly is: "taken" }
  | { readonly is: "refused"; readonly detail: string }
  | { readonly is: "again"; readonly detail: string };

export interface ExporterPorts {
  readonly clock: Clock;
  /** Sends one batch; never rejects, and ends within seconds. */
  deliver(spans: readonly Span[]): Promise<Delivery>;
  readonly counts: {
    spansSent(count: number): void;
    spansDropped(why: "full" | "refused" | "stopped", count: number): void;
  };
  readonly log: { info(fields: object, message: string): void; warn(fields: object, message: string): void };
}

export interface SpanExporter {
  /** Queues the spans; never waits, and keeps at most MOST_WAITING. */
  add(spans: readonly Span[]): void;
  /** Sends one last batch, then gives up. */
  stop(): Promise<void>;
}

export const MOST_WAITING = 2_048;
const BATCH = 256;
/** Waiting time for more spans. */
const GATHER_MS = 2_000;
const RETRY_MS = [5_000, 15_000, 60_000] as const;

/** Queue to the collector: bounded, one request at a time, and only the first failure is logged. */
export function createSpanExporter({ clock, deliver, counts, log }: ExporterPorts): SpanExporter {
  let waiting: Span[] = [];
  let failures = 0;
  let timer: Cancel | undefined;
  let sending: Promise<void> | undefined;
  let stopped = false;

  const tell = (detail: string | undefined): void => {
    if (detail === undefined && failures > 0) log.info({}, "the collector takes traces again");
    if (detail !== undefined && failures === 0)
      log.warn({ detail }, "traces do not reach their collector; it is tried on, and payments are not touched");
    failures = detail === undefined ? 0 : failures + 1;
  };
  const send = async (): Promise<void> => {
    const batch = waiting.slice(0, BATCH);
    const delivery = await deliver(batch);
    if (delivery.is === "again") return tell(delivery.detail);
    waiting = waiting.slice(batch.length);
    if (delivery.is === "refused") counts.spansDropped("refused", batch.length);
    else counts.spansSent(batch.length);
    tell(delivery.is === "refused" ? delivery.detail : undefined);
  };
  const plan = (): void => {
    if (stopped || timer !== undefined || sending !== undefined || waiting.length === 0) return;
    const delayMs = failures === 0 ? GATHER_MS : (RETRY_MS[failures - 1] ?? 60_000);
    timer = clock.after(delayMs, () => {
      timer = undefined;
      sending = send().finally(() => {
        sending = undefined;
        plan();
      });
    });
  };
  return {
    add: (spans) => {
      const room = Math.max(0, MOST_WAITING - waiting.length);
      waiting.push(...spans.slice(0, room));
      if (spans.length > room) counts.spansDropped("full", spans.length - room);
      plan();
    },
    stop: async () => {
      stopped = true;
      timer?.();
      await sending;
      if (waiting.length > 0 && failures === 0) await send();
      if (waiting.length > 0) counts.spansDropped("stopped", waiting.length);
      waiting = [];
    },
  };
}
