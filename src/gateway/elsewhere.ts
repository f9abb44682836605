import type { Gateway } from "../engine/ports.ts";
import type { Channel } from "../payment/operation.ts";

/**
 * The gateway, which is known by these addresses, for its own payments alone. It knows nothing of those that were begun with another one, and whoever asked would hear that: its "no such payment" would end as "never
 * booked" what is booked there, and its "no such booking" as "refused" what nobody asked of the right one. Nor is it told of them.
 */
export function onlyOwn(gateway: Gateway, addresses: readonly string[]): Gateway {
  const reaches = reachedBy(addresses);
  const noAnswer = (channel: Channel) => ({ is: "no-answer", description: begunAt(channel) }) as const;
  return {
    ...gateway,
    reaches,
    post: async (order, deadlineMs) => {
      if (reaches(order.channel)) return gateway.post(order, deadlineMs);
      return { is: "not-booked", why: "not-sent", resultCode: "", description: `not sent: ${begunAt(order.channel)}` };
    },
    search: async (search, deadlineMs) => (reaches(search.channel) ? gateway.search(search, deadlineMs) : noAnswer(search.channel)),
    look: async (at, deadlineMs) => (reaches(at.channel) ? gateway.look(at, deadlineMs) : noAnswer(at.channel)),
  };
}

/** Whether a payment was begun with the gateway that is known by these addresses. What an older version accepted names none. */
export function reachedBy(addresses: readonly string[]): (channel: Pick<Channel, "gateway">) => boolean {
  const own = new Set(addresses);
  return ({ gateway: at }) => at === undefined || own.has(at);
}

function begunAt({ gateway = "" }: Channel): string {
  return `it was begun with another gateway, at ${gateway}`;
}
