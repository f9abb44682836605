import { simulators } from "../../drivers/simulators.ts";
import type { SeededRandom } from "../../src/kit/seeded-random.ts";
import type { PaceName } from "../../src/simulator/pace.ts";
import type { LineKind } from "../../src/simulator/simulated-terminal.ts";
import { linesOf, takesCard } from "../support/simulated-models.ts";
import { pick } from "./pick.ts";

/** What every terminal of a world has in common. */
export interface Fleet {
  /** Absent: each is of another. */
  readonly model?: string | undefined;
  readonly pace?: PaceName | undefined;
}

/** What stands at a till: a model that can be simulated, by its name, and the line it hangs on. */
export interface Stand {
  readonly model: string;
  readonly line: LineKind;
}

/**
 * One that takes the card of this till: first a family is drawn, since some have more members than others. `model`:
 * that one, whatever it takes.
 */
export function drawStand(random: SeededRandom, card: string, model: string | undefined): Stand {
  const fit = simulators.filter((one) => (model === undefined ? takesCard(one, card) : one.id === model));
  const family = pick(random, [...new Set(fit.map(({ driver }) => driver))]);
  const simulator = pick(
    random,
    fit.filter(({ driver }) => driver === family),
  );
  return { model: simulator.id, line: pick(random, linesOf(simulator)).kind };
}
