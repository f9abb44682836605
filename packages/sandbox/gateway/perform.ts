import type { Context } from "./context.ts";
import type { Handled, Reply } from "./exchange.ts";
import type { Prepared } from "./prepared.ts";
import { throttledReply } from "./replies.ts";
import type { Faults } from "./testing/faults.ts";

const BAD_GATEWAY: Reply = {
  is: "reply",
  status: 502,
  headers: { "content-type": "text/html" },
  body: "<html><head><title>502 Bad Gateway</title></head><body><center><h1>502 Bad Gateway</h1></center></body></html>\n",
};

const SERVER_ERROR: Reply = {
  is: "reply",
  status: 500,
  headers: { "content-type": "text/plain" },
  body: "Internal Server Error\n",
};

/** Carries the request out and applies the fault on the wire, else the magic amount's. */
export function perform(
  context: Context,
  faults: Faults,
  prepared: Prepared | Reply,
  entityId: string | undefined,
): Handled | Promise<Handled> {
  const run = (): Reply => (prepared.is === "prepared" ? prepared.run(faults) : prepared);
  const wire = faults.wire ?? (prepared.is === "prepared" ? prepared.outcome.wire : undefined);
  switch (wire?.deed) {
    case undefined:
      return run();
    case "drop-before":
      return { is: "cut" };
    case "drop-after":
      run();
      return { is: "cut" };
    case "delay": {
      const reply = run();
      return context.clock.sleep(wire.delayMs).then(() => reply);
    }
    case "reset-mid-body": {
      const whole = run();
      return { is: "cut", partial: half(whole.body), whole };
    }
    case "http-500":
      return SERVER_ERROR;
    case "http-502-html":
      run();
      return BAD_GATEWAY;
    case "truncated-json": {
      const reply = run();
      return { ...reply, body: half(reply.body) };
    }
    case "throttle":
      return throttledReply({ now: context.clock.now(), random: context.random, entityId });
  }
}

function half(body: string): string {
  return body.slice(0, Math.floor(body.length / 2));
}
