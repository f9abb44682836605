/** The engine takes nothing new any more. */
export class EngineStopping extends Error {
  constructor() {
    super("the bridge is stopping");
    this.name = "EngineStopping";
  }
}
