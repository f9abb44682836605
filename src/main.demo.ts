#!/usr/bin/env node
import { driverModels } from "../drivers/index.ts";
import { demoCommand } from "./commands/demo.ts";
import { enter } from "./commands/entry.ts";
import { sandboxCommand } from "./commands/sandbox.ts";
import { shopCommands } from "./commands/shop.ts";
import { simulateCommand } from "./commands/simulate.ts";

void enter({
  name: "posbridge-demo",
  description: "The bridge with everything to try it on one machine: sandbox gateway and simulated terminals.",
  commands: [demoCommand, ...shopCommands(driverModels), sandboxCommand, simulateCommand],
});
