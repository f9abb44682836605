import { type Clock, sleep } from "../../src/kit/clock.ts";
import type { Caller, PaymentChange } from "../../src/register/ports.ts";
import type { Witness } from "./checker/witness.ts";
import type { History } from "./history.ts";
import type { Life } from "./life.ts";
import { toldOf, viewText } from "./register.ts";

/**
 * Whoever follows all payments' events, over a socket that comes and goes, and goes on behind the last event it heard
 * of.
 */
export interface Office {
  /** A life of the bridge has begun. */
  connect(life: Life): Promise<void>;
  /** The socket is gone for so long. */
  leave(forMs: number): Promise<void>;
}

const CALLER: Caller = { register: "office", all: true };

export function createOffice(on: {
  readonly clock: Clock;
  readonly witness: Witness;
  readonly history: History;
  readonly life: () => Life;
}): Office {
  const { clock, witness, history } = on;
  let cursor = 0;
  /** The socket that is open now; a new object for each. */
  let socket: { readonly life: Life } | undefined;
  let stop = (): void => undefined;

  const hear = (change: PaymentChange): void => {
    const { payment } = change;
    // A change of the prompt alone repeats the newest cursor of its payment, which may be an older one.
    cursor = Math.max(cursor, Number(change.cursor));
    witness.told(payment.reference, toldOf(payment), Number(change.cursor));
    history.note("register", () => `${payment.reference}: event ${change.cursor}: ${viewText(payment)}`);
  };
  const connect = async (life: Life): Promise<void> => {
    const mine = { life };
    socket = mine;
    witness.follows(false);
    const payments = await life.call(life.served);
    if (payments === undefined || socket !== mine) return;
    const isOpen = (): boolean => life.isAlive() && socket === mine;
    const following = await life.call(
      payments.follow(CALLER, String(cursor), (change) => (isOpen() ? hear(change) : undefined)),
    );
    if (following?.ok === false)
      witness.broken(
        "accepted-stays",
        "office",
        `cursor ${cursor}, which the bridge has told, is refused: ${following.refusal.code}`,
      );
    if (following?.ok !== true) return;
    if (socket !== mine) {
      following.value.stop();
      return;
    }
    stop = following.value.stop;
    const isTold = await life.call(following.value.told.then(() => true));
    if (isTold === true && socket === mine) witness.follows(true);
  };
  return {
    connect,
    leave: async (forMs) => {
      stop();
      const mine = { life: on.life() };
      socket = mine;
      witness.follows(false);
      await sleep(clock, forMs);
      if (socket === mine) await connect(on.life());
    },
  };
}
