import { refused } from "../../payment/request.ts";

export const shuttingDown = refused("shutting-down", "the bridge is stopping: try again in a moment", "retry");

/** The engine accepts nothing new. */
export class EngineStopping extends Error {
  constructor() {
    super("the bridge is stopping");
    this.name = "EngineStopping";
  }
}
