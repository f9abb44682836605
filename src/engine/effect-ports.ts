import type { LocalTime } from "../card/command.ts";
import type { Clock } from "../kit/clock.ts";
import type { Budget } from "./budget.ts";
import type { Devices } from "./device.ts";
import type { Hints } from "./hints.ts";
import type { Leases } from "./lease.ts";
import type { Originals } from "./originals.ts";
import type { Gateway, Terminals } from "./ports.ts";

/** What doing the owed takes. */
export interface EffectPorts {
  readonly clock: Clock;
  readonly localTime: () => LocalTime;
  readonly gateway: Gateway;
  readonly terminals: Terminals;
  readonly devices: Devices;
  readonly leases: Leases;
  readonly budget: Budget;
  readonly hints: Hints;
  readonly originals: Originals;
  readonly removalMs: number;
}
