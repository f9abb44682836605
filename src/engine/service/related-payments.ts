import type { Cancel } from "../../kit/clock.ts";
import { type FollowUp, hasHeard, type Target } from "../../payment/request.ts";
import { voidTargetsOf } from "../../payment/state.ts";
import type { Feed } from "../shell/feed.ts";
import type { Mailbox } from "../shell/mailbox.ts";
import { EngineStopping } from "../shell/stopping.ts";

/** Related payments talk only by inputs to each other's mailboxes, which are as durable as all inputs. */
export interface Originals {
  /**
   * Stops the capture of the sale for the void `by`, or waits for its end. Then calls once with the bookings to void.
   */
  await(original: string, by: string, known: (targets: readonly Target[]) => void): Cancel;
  /** Resolves once every original has recorded it durably. */
  tell(originals: readonly string[], by: FollowUp): Promise<void>;
}

interface OriginalsPorts {
  readonly feed: Feed;
  /** The mailbox of a payment in this journal, even of a settled one. */
  readonly reach: (payment: string) => Promise<Mailbox>;
  readonly broken: (payment: string, cause: unknown) => void;
}

export function createOriginals({ feed, reach, broken }: OriginalsPorts): Originals {
  return {
    await: (original, by, known) => {
      let stopped = false;
      let asking = false;
      let again = false;
      const ask = async (): Promise<void> => {
        const mailbox = await reach(original);
        await mailbox.ask({ on: "withdraw-capture", by });
        const targets = voidTargetsOf(mailbox.payment(), by);
        if (targets === undefined || stopped) return;
        stopped = true;
        known(targets);
      };
      const look = (): void => {
        again = asking;
        if (stopped || asking) return;
        asking = true;
        ask()
          // A stopping bridge leaves this to the next start.
          .catch((cause: unknown) => (cause instanceof EngineStopping ? undefined : broken(original, cause)))
          .finally(() => {
            asking = false;
            if (again) look();
          });
      };
      const deafen = feed.live(({ payment }) => {
        if (payment.id === original) look();
      });
      look();
      return () => {
        stopped = true;
        deafen();
      };
    },
    tell: async (originals, by) => {
      for (const original of originals) await tellOne(reach, original, by);
    },
  };
}

/** A mailbox that settles at that moment ignores the input. Repeat until the payment shows it. */
async function tellOne(reach: OriginalsPorts["reach"], original: string, by: FollowUp): Promise<void> {
  for (;;) {
    const mailbox = await reach(original);
    await mailbox.ask({ on: "followed", by });
    if (hasHeard(mailbox.payment(), by)) return;
  }
}
