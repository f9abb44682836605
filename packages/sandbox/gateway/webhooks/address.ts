import { percentDecoded, sentAddress } from "../sent-address.ts";

/**
 * The normalized http or https address; undefined for other schemes, such as an app's, and for a user or password that
 * cannot be sent.
 */
export function addressOf(text: string): string | undefined {
  const url = sentAddress(text);
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined;
  return percentDecoded(url.username) === undefined || percentDecoded(url.password) === undefined
    ? undefined
    : url.href;
}
