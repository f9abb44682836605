import type { SimulatorModel } from "../src/simulator/simulated-terminal.ts";
import { idtechKioskSimulator, idtechVp3300Simulator, idtechVp8800Simulator } from "./idtech-vp3300/simulator.ts";
import {
  ingenicoIpp350Simulator,
  ingenicoIuc285Simulator,
  ingenicoLane3000Simulator,
} from "./ingenico-ipp350/simulator.ts";
import {
  magtekDynaflexPlainSimulator,
  magtekDynaflexSimulator,
  magtekDynaproxSimulator,
} from "./magtek-dynaflex/simulator.ts";
import { magtekDynawaveSimulator, magtekEdynamoSimulator, magtekTdynamoSimulator } from "./magtek-edynamo/simulator.ts";
import { miuraM020Simulator } from "./miura-m020/simulator.ts";
import { paxD180Simulator } from "./pax-d180/simulator.ts";
import { verifoneP400Simulator, verifoneUx300Simulator } from "./verifone-p400/simulator.ts";

/** Every model that can be simulated. */
export const simulators: readonly SimulatorModel[] = [
  miuraM020Simulator,
  idtechVp3300Simulator,
  idtechVp8800Simulator,
  idtechKioskSimulator,
  magtekDynaflexSimulator,
  magtekDynaflexPlainSimulator,
  magtekDynaproxSimulator,
  verifoneP400Simulator,
  verifoneUx300Simulator,
  ingenicoIpp350Simulator,
  ingenicoLane3000Simulator,
  ingenicoIuc285Simulator,
  paxD180Simulator,
  magtekEdynamoSimulator,
  magtekTdynamoSimulator,
  magtekDynawaveSimulator,
];
