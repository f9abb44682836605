import type { LocalTime } from "../../card/command.ts";
import type { Clock } from "../../kit/clock.ts";
import type { Budget } from "../gateway/query-budget.ts";
import type { Hints } from "../gateway/webhook-hints.ts";
import type { Gateway, Terminals } from "../ports.ts";
import type { Originals } from "../service/related-payments.ts";
import type { Devices } from "../terminal/device.ts";
import type { Leases } from "../terminal/lease.ts";

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
