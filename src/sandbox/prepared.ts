import type { Reply } from "./exchange.ts";
import type { Outcome } from "./ledger/outcome.ts";
import type { Faults } from "./testing/faults.ts";

/** What a fault changes about the work itself, not about how the reply travels. */
export type Bend = Pick<Faults, "result" | "hideMs">;

/**
 * A request that was read and found in order, and not carried out yet: whether it is at all is up to the faults. `outcome` is what the amount's magic says.
 * Whatever `run` books is in the ledger when it returns.
 */
export interface Prepared {
  readonly is: "prepared";
  readonly outcome: Outcome;
  run(bend: Bend): Reply;
}
