import type { Cancel } from "../kit/clock.ts";
import type { SearchResult } from "../payment/answer.ts";
import type { Channel, SearchKey } from "../payment/operation.ts";
import type { Urgency } from "../payment/search.ts";
import type { Budget } from "./budget.ts";
import type { Gateway } from "./ports.ts";

interface QueryPorts {
  readonly budget: Pick<Budget, "ask" | "heard">;
  readonly gateway: Pick<Gateway, "search">;
}

interface Query {
  readonly channel: Channel;
  readonly of: SearchKey;
  readonly urgency: Urgency;
  readonly deadlineMs: number;
}

/** Asks the gateway, once it is this query's turn, for a booking and all that refers to it. The returned function leaves the line; a query that was sent is heard all the same. */
export function query({ budget, gateway }: QueryPorts, { channel, of, urgency, deadlineMs }: Query, heard: (result: SearchResult) => void): Cancel {
  return budget.ask(channel.entityId, urgency, () => {
    gateway.search({ channel, of, linked: true }, deadlineMs).then(
      (result) => {
        budget.heard(channel.entityId, urgency, result.is === "throttled");
        heard(result);
      },
      (cause: unknown) => heard({ is: "no-answer", description: String(cause) }),
    );
  });
}
