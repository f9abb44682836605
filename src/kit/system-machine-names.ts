import { hostname, networkInterfaces } from "node:os";
import type { MachineNames } from "./served-names.ts";

/** As they are now: a laptop changes its addresses as it goes. */
export function systemMachineNames(): MachineNames {
  return { hostName: hostname(), addresses: Object.values(networkInterfaces()).flatMap((card) => (card ?? []).map(({ address }) => address)) };
}
