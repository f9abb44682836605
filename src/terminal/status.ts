import type { Capabilities } from "../card/capabilities.ts";
import type { Identity } from "../card/notice.ts";

/** A terminal as the world sees it (contract, section 3, `Terminal`, less what the lease knows). */
export interface TerminalStatus {
  readonly id: string;
  readonly model: string;
  readonly state: "ready" | "offline" | "out-of-service";
  /** Why it is not ready, in one line that names the mend. */
  readonly reason?: string;
  readonly serialNumber?: string;
  readonly firmware?: string;
  /** Names and versions of what the device runs on (card/notice, Identity). */
  readonly configuration?: Identity["configuration"];
  /** Where it is connected, as the configuration says: "serial /dev/ttyACM0", "tcp host:port". */
  readonly connection: string;
  /** Of this very device once it told, of its model before. */
  readonly capabilities: Capabilities;
  readonly hostWaitMs: number;
}
