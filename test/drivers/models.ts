import { driverModels } from "../../drivers/index.ts";
import { simulators } from "../../drivers/simulators.ts";
import type { Capabilities } from "../../src/card/capabilities.ts";
import type { SimulatorModel } from "../../src/simulator/simulated-terminal.ts";
import type { DriverModel, TransportKind } from "../../src/terminal/driver.ts";
import type { ModelFacts } from "./models/facts.ts";
import { idtechKioskFacts, idtechVp3300Facts, idtechVp8800Facts } from "./models/idtech-vp3300.ts";
import { ingenicoIpp350Facts, ingenicoIuc285Facts, ingenicoLane3000Facts } from "./models/ingenico-ipp350.ts";
import { magtekDynaflexFacts, magtekDynaflexIIFacts, magtekDynaproxFacts } from "./models/magtek-dynaflex.ts";
import { magtekDynawaveFacts, magtekEdynamoFacts, magtekTdynamoFacts } from "./models/magtek-edynamo.ts";
import { miuraM020Facts } from "./models/miura-m020.ts";
import { paxD180Facts } from "./models/pax-d180.ts";
import { verifoneP400Facts, verifoneUx300Facts } from "./models/verifone-p400.ts";

/** One for each simulator; a new model adds its line here. */
export const FACTS: readonly ModelFacts[] = [
  miuraM020Facts,
  idtechVp3300Facts,
  idtechVp8800Facts,
  idtechKioskFacts,
  magtekDynaflexFacts,
  magtekDynaflexIIFacts,
  magtekDynaproxFacts,
  verifoneP400Facts,
  verifoneUx300Facts,
  ingenicoIpp350Facts,
  ingenicoLane3000Facts,
  ingenicoIuc285Facts,
  paxD180Facts,
  magtekEdynamoFacts,
  magtekTdynamoFacts,
  magtekDynawaveFacts,
];

/** A driver and a device that it may meet, on one of the lines that both have. */
export interface Pair {
  readonly title: string;
  readonly model: DriverModel;
  readonly simulator: SimulatorModel;
  readonly transport: TransportKind;
  readonly facts: ModelFacts;
  readonly can: Capabilities;
}

/** Every device on every line of its driver's. */
export const pairs: readonly Pair[] = FACTS.flatMap((facts) => {
  const model = driverModels.find(({ id }) => id === facts.driver);
  const simulator = simulators.find(({ id }) => id === facts.simulator);
  if (model === undefined || simulator === undefined) throw new Error(`${facts.simulator} is not in the rosters`);
  return model.lines.map(({ kind }) => ({
    ...{ title: `${simulator.title} over ${kind}`, model, simulator, transport: kind, facts },
    can: facts.can ?? model.capabilities,
  }));
});

/** Every device once, on its driver's first line: for what the line has no part in. */
export const devices: readonly Pair[] = pairs.filter(
  (pair, at) => pairs.findIndex(({ simulator }) => simulator === pair.simulator) === at,
);

/** Those that can take a card in this way. */
export function taking(list: readonly Pair[], way: Capabilities["interfaces"][number]): readonly Pair[] {
  return list.filter(({ can }) => can.interfaces.includes(way));
}
