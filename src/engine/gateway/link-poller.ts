import type { Cancel } from "../../kit/clock.ts";
import type { LinkSight } from "../../payment/exchange.ts";
import type { Watching } from "../../payment/state.ts";
import type { EffectPorts } from "../shell/effect-ports.ts";
import type { Mailbox } from "../shell/mailbox.ts";

/** Until the next look, by how the link is watched: the first looks, those that follow them, and where nobody waits for it for so long, all others. In milliseconds. */
const EVERY: Readonly<Record<Watching, { readonly first: number; readonly looks: number; readonly later: number; readonly last: number }>> = {
  eager: { first: 5_000, looks: 60, later: 30_000, last: 30_000 },
  steady: { first: 10_000, looks: 12, later: 30_000, last: 30_000 },
  patient: { first: 15_000, looks: 20, later: 300_000, last: 3_600_000 },
};
/** After so many looks, some two hours of patience, as long as queries are asked often (payment/attempt/attempt.ts). */
const MANY_LOOKS = 50;
/** One look may take this long. */
const LOOK_MS = 15_000;
/** Of a link that was not told about so many times, that is news; one lost reply is not. */
const UNTOLD = 3;

/** Looks at a link again and again until it is not owed any more; whether what was seen is news is for the payment to say. */
export function watch({ clock, budget, gateway }: EffectPorts, mailbox: Mailbox, link: string, watching: Watching): Cancel {
  const { channel } = mailbox.payment().accepted;
  let stopped = false;
  let cancel: Cancel = () => undefined;
  let looks = 0;
  let untold = 0;
  const seen = (sight: LinkSight): void => {
    if (stopped) return;
    if (sight.is === "throttled") budget.throttled(channel.entityId);
    untold = sight.is === "no-answer" ? untold + 1 : 0;
    if (sight.is !== "no-answer" || untold >= UNTOLD) mailbox.put({ on: "link-seen", sight });
    const { first, looks: count, later, last } = EVERY[watching];
    cancel = clock.after(looks < count ? first : looks < MANY_LOOKS ? later : last, look);
  };
  const look = (): void => {
    cancel = budget.look(channel.entityId, () => {
      looks += 1;
      gateway.look({ channel, link }, LOOK_MS).then(seen, (cause: unknown) => seen({ is: "no-answer", description: String(cause) }));
    });
  };
  cancel = clock.after(EVERY[watching].first, look);
  return () => {
    stopped = true;
    cancel();
  };
}
