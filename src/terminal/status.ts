import type { Capabilities } from "../card/capabilities.ts";
import type { Identity } from "../card/notice.ts";

/** A terminal in the register API's form (contract, section 3, `Terminal`), without the lease. */
export interface TerminalStatus {
  readonly id: string;
  readonly model: string;
  readonly state: "ready" | "offline" | "out-of-service";
  /** Why it is not ready, in one line that names the fix. */
  readonly reason?: string;
  readonly serialNumber?: string;
  readonly firmware?: string;
  /** Names and versions of the device's configuration (card/notice, Identity). */
  readonly configuration?: Identity["configuration"];
  /** The configured connection: "serial /dev/ttyACM0", "tcp host:port". */
  readonly connection: string;
  /** The device's own once reported, before that its model's. */
  readonly capabilities: Capabilities;
  readonly hostWaitMs: number;
}
