import type { Clock } from "../../kit/clock.ts";
import type { Random } from "../../kit/random.ts";
import type { Channel, Device } from "../../payment/exchange.ts";
import type { Rules } from "../../payment/machine.ts";
import type { MerchantData, WallTime } from "../../receipt/source.ts";
import type { Deletions } from "../gateway/deletions.ts";
import type { Gateway, Journal, NameBegins, Rollback, Terminals } from "../ports.ts";
import type { Engine } from "../shell/engine.ts";

/** A terminal's configuration for payments. */
export interface TerminalSettings {
  readonly channel: Channel;
  readonly device: Device;
  /** The channel allows one capture a reservation (gateway-facts 9). */
  readonly oneCapture?: boolean;
}

export interface PaymentsPorts {
  readonly engine: Engine;
  readonly journal: Journal;
  readonly gateway: Gateway;
  readonly terminals: Terminals;
  readonly clock: Clock;
  readonly random: Random;
  /**
   * By terminal. NO_TERMINAL, the last entry, is the shop's own channel for card-not-present payments; absent: none are
   * accepted.
   */
  readonly settings: ReadonlyMap<string, TerminalSettings>;
  /** Absent: this bridge deletes no stored cards. */
  readonly deletions?: Deletions;
  readonly rules: Omit<Rules, "hostWaitMs">;
  readonly merchant: MerchantData;
  /** The shop's wall time at this moment (epoch milliseconds), for receipts. */
  readonly wallTime: (epochMs: number) => WallTime;
  /** Start of that moment's day by the shop's wall clock, epoch milliseconds. */
  readonly startOfDay: (epochMs: number) => number;
  /**
   * A register knows more than this journal. Proven: the data folder was put back; a technician must confirm. Otherwise
   * it may belong to another bridge.
   */
  readonly pastMissing?: (known: {
    readonly register: string;
    readonly cursor: number;
    readonly last: number;
    readonly isProven: boolean;
  }) => void;
  /** Recognises references lost by a restore; absent: none is recognised. */
  readonly nameBegins?: NameBegins | undefined;
  readonly rollbackConfirmed?: (rollback: Rollback) => void;
  /** The journal is broken for this process: it must end. */
  readonly broken: (payment: string, cause: unknown) => void;
  /** Reads the terminal's identity again; never during a payment. */
  readonly reidentify: (terminal: string) => Promise<boolean>;
}
