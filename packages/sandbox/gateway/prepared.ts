import type { Reply } from "./exchange.ts";
import type { Outcome } from "./ledger/outcome.ts";
import type { Faults } from "./testing/faults.ts";

/** The part of a fault that changes the result, not the wire. */
export type Bend = Pick<Faults, "result" | "hideMs">;

/**
 * A validated request, not carried out yet; a fault may prevent it. `outcome` is the magic amount's. `run` books before
 * it returns.
 */
export interface Prepared {
  readonly is: "prepared";
  readonly outcome: Outcome;
  run(bend: Bend): Reply;
}
