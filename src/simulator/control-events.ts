import type { ServerResponse } from "node:http";
import type { SimulatedTerminal } from "./simulated-terminal.ts";
import type { WireLog } from "./wire-log.ts";

/** Streams of server-sent events: what a person sees, and the line in words. */
export interface EventStreams {
  /** False where there are as many as may be. */
  open(response: ServerResponse, headers: Readonly<Record<string, string>>): boolean;
}

/** One for each window that shows the terminal; a few at most. */
const MOST_STREAMS = 16;

/** `screen` tells all that a person sees, each time that it changes; `wire` one frame of the line. Who comes is told the screen as it stands, and the last frames. */
export function eventStreams(terminal: SimulatedTerminal, wire: WireLog, screen: () => unknown): EventStreams {
  const streams = new Set<ServerResponse>();
  const tell = (event: "screen" | "wire", data: unknown): void => {
    for (const stream of streams) stream.write(eventText(event, data));
  };
  let isDue = false;
  terminal.onChange(() => {
    if (isDue) return;
    isDue = true;
    // A terminal changes several things in one turn: they are one event.
    queueMicrotask(() => {
      isDue = false;
      tell("screen", screen());
    });
  });
  wire.onEntry((entry) => tell("wire", entry));
  return {
    open: (response, headers) => {
      if (streams.size >= MOST_STREAMS) return false;
      streams.add(response);
      response.on("close", () => streams.delete(response));
      response.writeHead(200, { ...headers, "content-type": "text/event-stream", "cache-control": "no-store" });
      response.write(eventText("screen", screen()));
      for (const entry of wire.entries()) response.write(eventText("wire", entry));
      return true;
    },
  };
}

function eventText(event: string, data: unknown): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}
