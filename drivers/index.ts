import type { DriverModel } from "../src/terminal/driver.ts";
import { idtechVp3300 } from "./idtech-vp3300/driver.ts";
import { ingenicoIpp350 } from "./ingenico-ipp350/driver.ts";
import { magtekDynaflex } from "./magtek-dynaflex/driver.ts";
import { magtekEdynamo } from "./magtek-edynamo/driver.ts";
import { miuraM020 } from "./miura-m020/driver.ts";
import { paxD180 } from "./pax-d180/driver.ts";
import { verifoneP400 } from "./verifone-p400/driver.ts";

/** Every model this product speaks to. A new one is a folder and a line here. */
export const driverModels: readonly DriverModel[] = [
  miuraM020,
  idtechVp3300,
  magtekDynaflex,
  verifoneP400,
  ingenicoIpp350,
  paxD180,
  magtekEdynamo,
];
