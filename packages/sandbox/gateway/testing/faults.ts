import { z } from "zod";
import { DEFAULT_DELAY_MS, DEFAULT_HIDE_MS, WIRE_DEEDS, type WireDeed } from "../ledger/outcome.ts";

/** The action of a fault on a matching request or its reply. */
const deedSchema = z.union([
  z.enum(WIRE_DEEDS),
  z.literal("hide-from-query"),
  z.strictObject({ result: z.string().regex(/^[0-9.]{2,11}$/, "a result code: 2 to 11 digits and dots") }),
]);
type Deed = z.infer<typeof deedSchema>;

export const deedNames = [...WIRE_DEEDS, "hide-from-query", "result"] as const;
type DeedName = (typeof deedNames)[number];

export const faultSchema = z.strictObject({
  /** All named fields must match; an empty object matches every request. */
  on: z
    .strictObject({
      /** Prefix of the request's path, without query string. */
      path: z.string().startsWith("/").optional(),
      paymentType: z.string().optional(),
      merchantTransactionId: z.string().optional(),
      /** True: only requests that can leave a booking; false: only reads. */
      books: z.boolean().optional(),
    })
    .default({}),
  do: deedSchema,
  /** Number of requests it applies to. */
  times: z.int().min(1).max(1_000_000).default(1),
  /** For `delay` (default 90 s), `hide-from-query` (60 s) and pending results (30 s). */
  delayMs: z.int().min(0).max(86_400_000).optional(),
});
export type Fault = z.infer<typeof faultSchema>;

export interface FaultTarget {
  /** Without query string. */
  readonly path: string;
  readonly paymentType: string | undefined;
  readonly merchantTransactionId: string | undefined;
  /** Whether the request can leave a booking that queries may not see. */
  readonly books: boolean;
  readonly hasOutcome: boolean;
}

/** Faults of one request: at most one of each sort, so a hidden booking can also lose its reply. */
export interface Faults {
  readonly wire: { readonly deed: WireDeed; readonly delayMs: number } | undefined;
  readonly result: { readonly code: string; readonly delayMs: number | undefined } | undefined;
  readonly hideMs: number | undefined;
}

export interface FaultBook {
  add(fault: Fault): void;
  /** Clears faults of that kind, or all. */
  clear(deed?: DeedName): void;
  /** Remaining faults, oldest first, with their remaining `times`. */
  list(): readonly Fault[];
  /** Takes the oldest matching fault of each sort and counts it once. */
  take(target: FaultTarget): Faults;
}

const NO_FAULT: Faults = { wire: undefined, result: undefined, hideMs: undefined };

export function createFaultBook(): FaultBook {
  let faults: readonly Fault[] = [];
  const takeFirst = (fits: (fault: Fault) => boolean): Fault | undefined => {
    const fitting = faults.find(fits);
    faults = faults
      .map((fault) => (fault === fitting ? { ...fault, times: fault.times - 1 } : fault))
      .filter(({ times }) => times > 0);
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
      const result = !target.hasOutcome
        ? undefined
        : takeFirst((fault) => typeof fault.do === "object" && fits(fault, target));
      const hide = target.books
        ? takeFirst((fault) => fault.do === "hide-from-query" && fits(fault, target))
        : undefined;
      return {
        wire: wire && isWire(wire.do) ? { deed: wire.do, delayMs: wire.delayMs ?? DEFAULT_DELAY_MS } : undefined,
        result:
          result && typeof result.do === "object" ? { code: result.do.result, delayMs: result.delayMs } : undefined,
        hideMs: hide && (hide.delayMs ?? DEFAULT_HIDE_MS),
      };
    },
  };
}

/** The name of a fault; `result` for every code. */
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
