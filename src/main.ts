#!/usr/bin/env node
import { driverModels } from "../drivers/index.ts";
import { enter } from "./commands/entry.ts";
import { shopCommands } from "./commands/shop.ts";

void enter({
  name: "posbridge",
  description: "The bridge between cash registers, card terminals and a payment gateway.",
  commands: shopCommands(driverModels),
});
