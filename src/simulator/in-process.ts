import { type SerialLine, serveSerial } from "./serial-line.ts";
import type { SimulatedTerminal, SimulatorModel, SimulatorOn } from "./simulated-terminal.ts";

/** A simulated terminal with its customer in this process, on a pseudo-terminal. */
export interface InProcessTerminal extends SerialLine {
  readonly terminal: SimulatedTerminal;
}

/**
 * Starts a terminal on a new pseudo-terminal, linked at `path`, with an automatic customer. Throws a SimulatorProblem
 * for a taken path or an unknown card.
 */
export function startInProcess(model: SimulatorModel, path: string, on: SimulatorOn): InProcessTerminal {
  const terminal = model.create(on);
  const line = serveSerial(terminal, path);
  return { path: line.path, terminal, close: () => line.close() };
}
