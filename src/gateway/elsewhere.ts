import type { Gateway } from "../engine/ports.ts";
import type { Channel } from "../payment/operation.ts";

/** Whether what went by that channel is at another gateway than this one, which is known by these addresses. */
export type IsElsewhere = (channel: Channel) => boolean;

export function elsewhere(addresses: readonly string[]): IsElsewhere {
  const own = new Set(addresses);
  return ({ gateway }) => gateway !== undefined && !own.has(gateway);
}

/**
 * The gateway for its own payments alone. It knows nothing of those that were begun with another one, and whoever asked would hear that: its "no such payment" would end as "never
 * booked" what is booked there, and its "no such booking" as "refused" what nobody asked of the right one. Nor is it told of them.
 */
export function onlyOwn(gateway: Gateway, isElsewhere: IsElsewhere): Gateway {
  const noAnswer = (channel: Channel) => ({ is: "no-answer", description: begunAt(channel) }) as const;
  return {
    ...gateway,
    post: async (order, deadlineMs) => {
      if (!isElsewhere(order.channel)) return gateway.post(order, deadlineMs);
      return { is: "not-booked", why: "not-sent", resultCode: "", description: `not sent: ${begunAt(order.channel)}` };
    },
    search: async (search, deadlineMs) => (isElsewhere(search.channel) ? noAnswer(search.channel) : gateway.search(search, deadlineMs)),
    look: async (at, deadlineMs) => (isElsewhere(at.channel) ? noAnswer(at.channel) : gateway.look(at, deadlineMs)),
  };
}

function begunAt({ gateway = "" }: Channel): string {
  return `it was begun with another gateway, at ${gateway}`;
}
