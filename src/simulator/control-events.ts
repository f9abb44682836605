import type { ServerResponse } from "node:http";
import type { SimulatedTerminal } from "./simulated-terminal.ts";
import type { WireLog } from "./wire-log.ts";

/** Streams of server-sent events: the screen, and the line in words. */
export interface EventStreams {
  /** False: the limit of streams is reached. */
  open(response: ServerResponse, headers: Readonly<Record<string, string>>): boolean;
}

/** One stream for each window that shows the terminal. */
const MOST_STREAMS = 16;

/**
 * `screen` sends the whole visible state after each change, `wire` one frame. A new stream gets the current screen and
 * the last frames.
 */
export function eventStreams(terminal: SimulatedTerminal, wire: WireLog, screen: () => unknown): EventStreams {
  const streams = new Set<ServerResponse>();
  const tell = (event: "screen" | "wire", data: unknown): void => {
    for (const stream of streams) stream.write(eventText(event, data));
  };
  let isDue = false;
  terminal.onChange(() => {
    if (isDue) return;
    isDue = true;
    // Several changes in one turn become one event.
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
