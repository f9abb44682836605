import type { SimulatorModel } from "../src/simulator/simulated-terminal.ts";
import { miuraM020Simulator } from "./miura-m020/simulator.ts";

/** Every model that can be simulated. */
export const simulators: readonly SimulatorModel[] = [miuraM020Simulator];
