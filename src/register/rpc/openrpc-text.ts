import { openRpcDocument } from "./openrpc.ts";

/** The OpenRPC document as JSON. Making it takes a tenth of a second: a packaged program brings the text along, put in the place of this file by packaging/bundle.ts. */
export function openRpcText(version: string): string {
  return JSON.stringify(openRpcDocument(version));
}
