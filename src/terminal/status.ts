import type { Capabilities } from "./driver.ts";

/** A terminal as the world sees it (contract, section 3, `Terminal`, less what the lease knows). */
export interface TerminalStatus {
  readonly id: string;
  readonly model: string;
  readonly state: "ready" | "offline" | "out-of-service";
  /** Why it is not ready, in one line that names the mend. */
  readonly reason?: string;
  readonly serialNumber?: string;
  readonly firmware?: string;
  /** Where it is connected, as the configuration says: "serial /dev/ttyACM0", "tcp host:port". */
  readonly connection: string;
  readonly capabilities: Capabilities;
  readonly hostWaitMs: number;
}
