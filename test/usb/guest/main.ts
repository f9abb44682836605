import { runChecks } from "./check.ts";
import { linkChecks } from "./links.ts";
import { saleChecks } from "./sales.ts";
import { scanChecks } from "./scan.ts";

const all = await runChecks([...linkChecks, ...scanChecks, ...saleChecks]);
process.exit(all ? 0 : 1);
