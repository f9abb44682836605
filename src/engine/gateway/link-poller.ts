import type { Cancel } from "../../kit/clock.ts";
import type { LinkSight } from "../../payment/exchange.ts";
import type { Watching } from "../../payment/state.ts";
import type { EffectPorts } from "../shell/effect-ports.ts";
import type { Mailbox } from "../shell/mailbox.ts";

/** Milliseconds between looks at a link: `first` for the first `looks`, then `later`, and `last` after MANY_LOOKS. */
const EVERY: Readonly<
  Record<Watching, { readonly first: number; readonly looks: number; readonly later: number; readonly last: number }>
> = {
  eager: { first: 5_000, looks: 60, later: 30_000, last: 30_000 },
  steady: { first: 10_000, looks: 12, later: 30_000, last: 30_000 },
  patient: { first: 15_000, looks: 20, later: 300_000, last: 3_600_000 },
};
/** About two hours of patient watching, as long as queries are frequent (payment/attempt/attempt.ts). */
const MANY_LOOKS = 50;
const LOOK_MS = 15_000;
/** Report a missing answer only after this many in a row; a single lost reply is no news. */
const UNTOLD = 3;

/** Polls a link until it is no longer owed. The payment decides whether a sight is news. */
export function watch(
  { clock, budget, gateway }: EffectPorts,
  mailbox: Mailbox,
  link: string,
  watching: Watching,
): Cancel {
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
      gateway
        .look({ channel, link }, LOOK_MS)
        .then(seen, (cause: unknown) => seen({ is: "no-answer", description: String(cause) }));
    });
  };
  cancel = clock.after(EVERY[watching].first, look);
  return () => {
    stopped = true;
    cancel();
  };
}
