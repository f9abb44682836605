import type { Ran } from "../rpc/call-result.ts";
import type { Technician, TracedLine } from "../technician.ts";

/** The traces of one session, at most one a terminal. */
export interface Traces {
  /**
   * From the reply on, this session gets the frames of that terminal's line. A repeated call restarts the time limit.
   */
  begin(terminal: string): Ran<{ until: string }>;
  end(terminal: string): void;
  /** The session has ended. */
  stop(): void;
}

export interface TracesPorts {
  readonly technician: Pick<Technician, "trace">;
  /** Sends `terminal.traced` to this session. */
  tell(line: TracedLine & { readonly terminal: string }): void;
  /** True: the session reads so slowly that lines are dropped. */
  isSlow(): boolean;
  /** ISO 8601 UTC. */
  now(): string;
  audit(what: "trace-begun" | "trace-ended", terminal: string): void;
}

export function openTraces({ technician, tell, isSlow, now, audit }: TracesPorts): Traces {
  const running = new Map<string, () => void>();
  const end = (terminal: string): void => {
    const stop = running.get(terminal);
    if (stop === undefined) return;
    running.delete(terminal);
    stop();
    audit("trace-ended", terminal);
  };
  const begin: Traces["begin"] = (terminal) => {
    const teller = createTeller({ tell: (line) => tell({ terminal, ...line }), isSlow, now });
    const ended = (): void => {
      teller.hear({
        at: now(),
        direction: "note",
        text: "the trace has ended: it goes off by itself after 15 minutes",
      });
      end(terminal);
    };
    const traced = technician.trace(terminal, teller.hear, ended);
    if (!traced.ok) return traced;
    running.get(terminal)?.();
    running.set(terminal, () => {
      traced.value.stop();
      teller.stop();
    });
    audit("trace-begun", terminal);
    return { ok: true, value: { until: traced.value.until }, replied: teller.replied };
  };
  const stop = (): void => {
    for (const terminal of [...running.keys()]) end(terminal);
  };
  return { begin, end, stop };
}

interface Teller {
  hear(line: TracedLine): void;
  /** The reply was sent; the frames since the call follow. */
  replied(): void;
  stop(): void;
}

/** Counts the frames that a slow reader misses, and reports the number when it reads again. */
function createTeller({
  tell,
  isSlow,
  now,
}: {
  tell(line: TracedLine): void;
  isSlow(): boolean;
  now(): string;
}): Teller {
  let early: TracedLine[] | undefined = [];
  let left = 0;
  let isStopped = false;
  const hear = (line: TracedLine): void => {
    if (isStopped) return;
    if (early !== undefined) {
      early.push(line);
      return;
    }
    if (isSlow()) {
      left += 1;
      return;
    }
    if (left > 0)
      tell({ at: now(), direction: "note", text: `${left} frames were left out: this session reads too slowly` });
    left = 0;
    tell(line);
  };
  const replied = (): void => {
    const due = early ?? [];
    early = undefined;
    for (const line of due) hear(line);
  };
  const stop = (): void => {
    isStopped = true;
  };
  return { hear, replied, stop };
}
