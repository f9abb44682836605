import type { SeededRandom } from "../../src/kit/seeded-random.ts";

/** What goes wrong in one sale. */
export type Trouble =
  | { readonly is: "none" }
  | { readonly is: "gateway"; readonly paymentType: "PA" | "CP" | "RV"; readonly fault: (typeof GATEWAY_FAULTS)[number] }
  | { readonly is: "gateway-down"; readonly forMs: number }
  | { readonly is: "crash"; readonly afterMs: number; readonly kept: number }
  | { readonly is: "unplug"; readonly afterMs: number; readonly forMs: number }
  | { readonly is: "line"; readonly fault: (typeof LINE_FAULTS)[number]; readonly after: number }
  | { readonly is: "card-pulled"; readonly afterMs: number }
  /** Somebody, or the network, sets the bridge's wall clock. */
  | { readonly is: "clock-set"; readonly afterMs: number; readonly byMs: number }
  | { readonly is: "cancel"; readonly afterMs: number };

const GATEWAY_FAULTS = [
  { do: "drop-before" },
  { do: "drop-after" },
  { do: "drop-after" },
  { do: "delay", delayMs: 60_000 },
  { do: "reset-mid-body" },
  { do: "http-500" },
  { do: "http-502-html" },
  { do: "truncated-json" },
  { do: "throttle" },
  { do: "hide-from-query", delayMs: 300_000 },
  { do: { result: "800.100.152" } },
  { do: { result: "900.100.300" } },
  { do: { result: "000.400.030" } },
  { do: { result: "000.200.000" } },
] as const;
const LINE_FAULTS = ["hang", "reboot", "corrupt-next-frame", "duplicate-next-frame", "drop-next-frame", "garbage", "slow"] as const;

/** A chip sale takes a little more than this long. */
const SALE_MS = 1_500;

function pick<T>(random: SeededRandom, from: readonly T[]): T {
  const one = from[random.below(from.length)];
  if (one === undefined) throw new RangeError("nothing to pick from");
  return one;
}

export function troubleOf(random: SeededRandom): Trouble {
  const roll = random.below(100);
  const afterMs = random.below(SALE_MS);
  if (roll < 60) return { is: "none" };
  if (roll < 75) return { is: "gateway", paymentType: pick(random, ["PA", "PA", "CP", "RV"] as const), fault: pick(random, GATEWAY_FAULTS) };
  if (roll < 77) return { is: "gateway-down", forMs: 1_000 + random.below(5_000) };
  if (roll < 83) return { is: "crash", afterMs, kept: random.below(3) };
  if (roll < 88) return { is: "unplug", afterMs, forMs: 500 + random.below(20_000) };
  if (roll < 94) return { is: "line", fault: pick(random, LINE_FAULTS), after: random.below(12) };
  if (roll < 96) return { is: "card-pulled", afterMs };
  // Not over midnight and back: the sandbox's issuer looks at the terminal's date.
  if (roll < 97) return { is: "clock-set", afterMs, byMs: random.below(1_200_000) - 600_000 };
  return { is: "cancel", afterMs };
}
