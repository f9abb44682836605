import type { Cancel } from "../../kit/clock.ts";
import type { Channel, SearchKey, SearchResult } from "../../payment/exchange.ts";
import type { Gateway } from "../ports.ts";
import type { Budget, Turn } from "./query-budget.ts";

interface QueryPorts {
  readonly budget: Pick<Budget, "ask" | "heard">;
  readonly gateway: Pick<Gateway, "search" | "reaches">;
}

interface Query {
  readonly channel: Channel;
  readonly of: SearchKey;
  readonly turn: Turn;
  readonly deadlineMs: number;
}

/**
 * Queries for a booking and all that refers to it, which uses no turn if it cannot be sent. The returned function stops
 * only an unsent query.
 */
export function query(
  { budget, gateway }: QueryPorts,
  { channel, of, turn, deadlineMs }: Query,
  heard: (result: SearchResult) => void,
): Cancel {
  const ask = (first: (result: SearchResult) => void): void => {
    gateway.search({ channel, of }, deadlineMs).then(
      (result) => {
        first(result);
        heard(result);
      },
      (cause: unknown) => heard({ is: "no-answer", description: String(cause) }),
    );
  };
  if (!gateway.reaches(channel)) {
    ask(() => undefined);
    return () => undefined;
  }
  return budget.ask(channel.entityId, turn, () => ask(({ is }) => budget.heard(channel.entityId, is === "throttled")));
}
