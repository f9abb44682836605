import { hostname, networkInterfaces } from "node:os";
import type { MachineNames } from "./served-names.ts";

/** Read at each call: the addresses of a laptop change. */
export function systemMachineNames(): MachineNames {
  return {
    hostName: hostname(),
    addresses: Object.values(networkInterfaces()).flatMap((card) => (card ?? []).map(({ address }) => address)),
  };
}
