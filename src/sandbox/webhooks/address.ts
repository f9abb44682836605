import { percentDecoded, sentAddress } from "../sent-address.ts";

/**
 * Where something can be posted to, in the form in which it is called; undefined for what is no http or https address, as that of an app, or has a user that cannot be sent.
 */
export function addressOf(text: string): string | undefined {
  const url = sentAddress(text);
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined;
  return percentDecoded(url.username) === undefined || percentDecoded(url.password) === undefined ? undefined : url.href;
}
