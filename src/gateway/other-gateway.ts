import type { Gateway } from "../engine/ports.ts";
import type { Channel } from "../payment/exchange.ts";

/**
 * Wraps the gateway so that it refuses payments started against a different gateway. This gateway would answer "no such
 * payment", and a booked payment would end as "never booked".
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
    search: async (search, deadlineMs) =>
      reaches(search.channel) ? gateway.search(search, deadlineMs) : noAnswer(search.channel),
    look: async (at, deadlineMs) => (reaches(at.channel) ? gateway.look(at, deadlineMs) : noAnswer(at.channel)),
  };
}

/**
 * Tells whether a payment was started with the gateway at these addresses. Older versions stored no address: their
 * payments count as this gateway's.
 */
export function reachedBy(addresses: readonly string[]): (channel: Pick<Channel, "gateway">) => boolean {
  const own = new Set(addresses);
  return ({ gateway: at }) => at === undefined || own.has(at);
}

function begunAt({ gateway = "" }: Channel): string {
  return `it was begun with another gateway, at ${gateway}`;
}
