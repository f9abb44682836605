import type { Traced } from "../../client/technician.ts";

/** The stored trace of one terminal; the oldest lines are dropped. */
export interface Trace {
  /** Epoch milliseconds; undefined while no trace runs. */
  readonly until: number | undefined;
  readonly lines: readonly Traced[];
  readonly dropped: number;
}

/** Maximum number of lines of each terminal. */
export const MOST_LINES = 5_000;

export type Traces = Readonly<Record<string, Trace>>;

export type TraceAction =
  | { readonly is: "begun"; readonly terminal: string; readonly until: number }
  | { readonly is: "heard"; readonly line: Traced }
  | { readonly is: "ended"; readonly terminal: string }
  /** The session is over and with it its traces. */
  | { readonly is: "cut"; readonly at: string }
  | { readonly is: "cleared"; readonly terminal: string };

const NO_TRACE: Trace = { until: undefined, lines: [], dropped: 0 };

export function traced(traces: Traces, action: TraceAction): Traces {
  switch (action.is) {
    case "begun":
      return change(traces, action.terminal, (trace) => ({ ...trace, until: action.until }));
    case "heard":
      return change(traces, action.line.terminal, (trace) => withLine(trace, action.line));
    case "ended":
      return change(traces, action.terminal, (trace) => ({ ...trace, until: undefined }));
    case "cut":
      return Object.fromEntries(
        Object.entries(traces).map(([terminal, trace]) => [terminal, afterCut(trace, terminal, action.at)]),
      );
    case "cleared":
      return change(traces, action.terminal, ({ until }) => ({ ...NO_TRACE, until }));
  }
}

function change(traces: Traces, terminal: string, by: (trace: Trace) => Trace): Traces {
  return { ...traces, [terminal]: by(traceOf(traces, terminal)) };
}

export function traceOf(traces: Traces, terminal: string): Trace {
  return (Object.hasOwn(traces, terminal) ? traces[terminal] : undefined) ?? NO_TRACE;
}

/** End of the trace; undefined afterwards, because the bridge ends a trace by itself. */
export function readUntil({ until }: Pick<Trace, "until">, now: number): number | undefined {
  return until !== undefined && until > now ? until : undefined;
}

function withLine(trace: Trace, line: Traced): Trace {
  const lines = [...trace.lines, line];
  const over = Math.max(0, lines.length - MOST_LINES);
  return { ...trace, lines: over === 0 ? lines : lines.slice(over), dropped: trace.dropped + over };
}

function afterCut(trace: Trace, terminal: string, at: string): Trace {
  if (trace.until === undefined) return trace;
  const line: Traced = {
    terminal,
    at,
    direction: "note",
    text: "the connection to the bridge was cut, and the trace ended with it",
  };
  return { ...withLine(trace, line), until: undefined };
}

const ARROWS: Readonly<Record<Traced["direction"], string>> = {
  sent: "bridge → terminal",
  received: "terminal → bridge",
  note: "note",
};

export function arrowText(direction: Traced["direction"]): string {
  return ARROWS[direction];
}

/** A value, or the length of a hidden value. */
export function tagText({ tag, name, value, length }: NonNullable<Traced["tags"]>[number]): string {
  const shown = value ?? `${length} bytes, not shown`;
  return `${tag} ${name} = ${shown}`;
}

/** The trace as a text file: a line for each frame, its tags below. */
export function traceText(terminal: string, { lines, dropped }: Trace): string {
  const head = [
    `Line of terminal ${terminal}, decoded by posbridge. Times are UTC. Keys pressed and card data are left out.`,
  ];
  const left = dropped === 0 ? [] : [`${dropped} older lines were left out.`];
  const body = lines.flatMap(({ at, direction, text, tags = [] }) => [
    `${at}  ${ARROWS[direction]}  ${text}`,
    ...tags.map((tag) => `    ${tagText(tag)}`),
  ]);
  return `${[...head, ...left, "", ...body].join("\n")}\n`;
}

export function matchesTrace({ text, tags = [], direction }: Traced, search: string): boolean {
  const wanted = search.trim().toLowerCase();
  return [direction, text, ...tags.map(tagText)].some((part) => part.toLowerCase().includes(wanted));
}
