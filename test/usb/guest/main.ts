import { runChecks } from "./check.ts";
import { linkChecks } from "./links.ts";
import { saleChecks } from "./sales.ts";
import { scanChecks } from "./scan.ts";

void runChecks([...linkChecks, ...scanChecks, ...saleChecks]).then((all) => process.exit(all ? 0 : 1));
