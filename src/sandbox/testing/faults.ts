import { z } from "zod";
import { DEFAULT_DELAY_MS, DEFAULT_HIDE_MS, WIRE_DEEDS, type WireDeed } from "../ledger/outcome.ts";

/** What a fault does instead of, or to, the reply of a request it matches. */
const deedSchema = z.union([
  z.enum(WIRE_DEEDS),
  z.literal("hide-from-query"),
  z.strictObject({ result: z.string().regex(/^[0-9.]{2,11}$/, "a result code: 2 to 11 digits and dots") }),
]);
type Deed = z.infer<typeof deedSchema>;

export const deedNames = [...WIRE_DEEDS, "hide-from-query", "result"] as const;
type DeedName = (typeof deedNames)[number];

export const faultSchema = z.strictObject({
  /** All that is named must fit; an empty object fits every request of the gateway. */
  on: z
    .strictObject({
      /** Beginning of the request's path, without the query string. */
      path: z.string().startsWith("/").optional(),
      paymentType: z.string().optional(),
      merchantTransactionId: z.string().optional(),
      /** True: only what can leave a booking; false: only what asks. */
      books: z.boolean().optional(),
    })
    .default({}),
  do: deedSchema,
  /** How many requests it meets before it is gone. */
  times: z.int().min(1).max(1_000_000).default(1),
  /** For `delay` (default 90 s), `hide-from-query` (60 s) and results that are pending (30 s). */
  delayMs: z.int().min(0).max(86_400_000).optional(),
});
export type Fault = z.infer<typeof faultSchema>;

export interface FaultTarget {
  /** Without the query string. */
  readonly path: string;
  readonly paymentType: string | undefined;
  readonly merchantTransactionId: string | undefined;
  /** Whether it is a POST, which can leave a booking that queries may not see. */
  readonly books: boolean;
  /** Whether it comes to a result at all. */
  readonly hasOutcome: boolean;
}

/** What meets one request: at most one fault of each sort, so that a hidden booking can lose its reply as well. */
export interface Faults {
  /** What happens on the wire. */
  readonly wire: { readonly deed: WireDeed; readonly delayMs: number } | undefined;
  readonly result: { readonly code: string; readonly delayMs: number | undefined } | undefined;
  readonly hideMs: number | undefined;
}

export interface FaultBook {
  add(fault: Fault): void;
  /** Those that do this, or all. */
  clear(deed?: DeedName): void;
  /** The faults left, oldest first, with what is left of their `times`. */
  list(): readonly Fault[];
  /** The oldest fault of each sort that fits, each used up by one. */
  take(target: FaultTarget): Faults;
}

const NO_FAULT: Faults = { wire: undefined, result: undefined, hideMs: undefined };

export function createFaultBook(): FaultBook {
  let faults: readonly Fault[] = [];
  const takeFirst = (fits: (fault: Fault) => boolean): Fault | undefined => {
    const fitting = faults.find(fits);
    faults = faults.map((fault) => (fault === fitting ? { ...fault, times: fault.times - 1 } : fault)).filter(({ times }) => times > 0);
    return fitting;
  };
  return {
    add(fault) {
      faults = [...faults, fault];
    },
    clear(deed) {
      faults = deed === undefined ? [] : faults.filter((fault) => nameOf(fault.do) !== deed);
    },
    list: () => faults,
    take(target) {
      if (faults.length === 0) return NO_FAULT;
      const wire = takeFirst((fault) => isWire(fault.do) && fits(fault, target));
      const result = !target.hasOutcome ? undefined : takeFirst((fault) => typeof fault.do === "object" && fits(fault, target));
      const hide = target.books ? takeFirst((fault) => fault.do === "hide-from-query" && fits(fault, target)) : undefined;
      return {
        wire: wire && isWire(wire.do) ? { deed: wire.do, delayMs: wire.delayMs ?? DEFAULT_DELAY_MS } : undefined,
        result: result && typeof result.do === "object" ? { code: result.do.result, delayMs: result.delayMs } : undefined,
        hideMs: hide && (hide.delayMs ?? DEFAULT_HIDE_MS),
      };
    },
  };
}

/** What a fault is called: `result` whatever its code. */
function nameOf(deed: Deed): DeedName {
  return typeof deed === "object" ? "result" : deed;
}

function isWire(deed: Deed): deed is WireDeed {
  return typeof deed === "string" && deed !== "hide-from-query";
}

function fits({ on }: Fault, target: FaultTarget): boolean {
  if (on.path !== undefined && !target.path.startsWith(on.path)) return false;
  if (on.books !== undefined && on.books !== target.books) return false;
  if (on.paymentType !== undefined && on.paymentType !== target.paymentType) return false;
  return on.merchantTransactionId === undefined || on.merchantTransactionId === target.merchantTransactionId;
}
