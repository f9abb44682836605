import { type SerialLine, serveSerial } from "./serial-line.ts";
import type { SimulatedTerminal, SimulatorModel, SimulatorOn } from "./simulated-terminal.ts";

/** A simulated terminal that runs in this process, with its customer, on a pseudo-terminal. */
export interface InProcessTerminal extends SerialLine {
  readonly terminal: SimulatedTerminal;
}

/**
 * Starts a terminal of the model on a fresh pseudo-terminal with a link to it at `path`; the customer presents `on.automatic.card` and types its PIN whenever the
 * host asks. Throws a SimulatorProblem where the path is taken or the card does not exist.
 */
export function startInProcess(model: SimulatorModel, path: string, on: SimulatorOn): InProcessTerminal {
  const terminal = model.create(on);
  const line = serveSerial(terminal, path);
  return { path: line.path, terminal, close: () => line.close() };
}
