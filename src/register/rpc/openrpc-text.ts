import { openRpcDocument } from "./openrpc.ts";

/**
 * The OpenRPC document as JSON. Making it takes a tenth of a second, so packaging/bundle.ts replaces this file by the
 * finished text.
 */
export function openRpcText(version: string): string {
  return JSON.stringify(openRpcDocument(version));
}
