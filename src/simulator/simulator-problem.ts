/** The reason why a simulated terminal cannot do something: one line with the choices. */
export class SimulatorProblem extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "SimulatorProblem";
  }
}
