/** Why something cannot be done with a simulated terminal: one line that names the choices. */
export class SimulatorProblem extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "SimulatorProblem";
  }
}
