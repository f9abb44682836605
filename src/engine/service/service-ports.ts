import type { Clock } from "../../kit/clock.ts";
import type { Random } from "../../kit/random.ts";
import type { Channel, Device } from "../../payment/exchange.ts";
import type { Rules } from "../../payment/machine.ts";
import type { MerchantData, WallTime } from "../../receipt/source.ts";
import type { Deletions } from "../gateway/deletions.ts";
import type { Gateway, Journal, NameBegins, Rollback, Terminals } from "../ports.ts";
import type { Engine } from "../shell/engine.ts";

/** What the configuration says about a terminal, as payments need it. */
export interface TerminalSettings {
  readonly channel: Channel;
  readonly device: Device;
  /** The channel takes one capture a reservation (gateway-facts 9). */
  readonly oneCapture?: boolean;
}

export interface PaymentsPorts {
  readonly engine: Engine;
  readonly journal: Journal;
  readonly gateway: Gateway;
  readonly terminals: Terminals;
  readonly clock: Clock;
  readonly random: Random;
  /** By terminal; under NO_TERMINAL, and after all others, the shop's own channel, for payments without a terminal. Without it there are none. */
  readonly settings: ReadonlyMap<string, TerminalSettings>;
  /** Deletes stored cards; absent: this bridge does not. */
  readonly deletions?: Deletions;
  readonly rules: Omit<Rules, "hostWaitMs">;
  readonly merchant: MerchantData;
  /** What the shop's wall clock showed at that moment (epoch milliseconds), for receipts. */
  readonly wallTime: (epochMs: number) => WallTime;
  /** When the day of that moment began by the shop's wall clock, epoch milliseconds. */
  readonly startOfDay: (epochMs: number) => number;
  /**
   * A register has heard of more than this journal holds. Proven: an older copy of the data folder was put in its place, and nothing is accepted until a technician has confirmed that.
   * Else it may belong to another bridge.
   */
  readonly pastMissing?: (known: { readonly register: string; readonly cursor: number; readonly last: number; readonly isProven: boolean }) => void;
  /** By which references are recognised that a restored data folder has lost; absent: none is. */
  readonly nameBegins?: NameBegins | undefined;
  readonly rollbackConfirmed?: (rollback: Rollback) => void;
  /** The journal is broken for this process: it must end. */
  readonly broken: (payment: string, cause: unknown) => void;
  /** Reads the terminal's identity again; never a payment. */
  readonly reidentify: (terminal: string) => Promise<boolean>;
}
