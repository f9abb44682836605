/**
 * Accepts the register API as it is now: `node_modules/.bin/node test/contract/accept-openrpc.ts`. What registers rely
 * on may grow, but nothing of it may go without a new API version.
 */
import { writeFileSync } from "node:fs";
import { openRpcDocument } from "../../src/register/rpc/openrpc.ts";
import { CONTRACT_VERSION } from "./openrpc-version.ts";

writeFileSync(
  new URL("openrpc.json", import.meta.url),
  `${JSON.stringify(openRpcDocument(CONTRACT_VERSION), null, 2)}\n`,
);
