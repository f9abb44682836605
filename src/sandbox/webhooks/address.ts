/**
 * Where something can be posted to, in the form in which it is called; undefined for what is no http or https address, as that of an app, or has a user that cannot be sent.
 * An address that was URL-encoded by hand before the form was is understood as well (specification, "Asynchronous payments").
 */
export function addressOf(text: string): string | undefined {
  const plain = decoded(text);
  const url = URL.parse(text) ?? (plain === undefined ? null : URL.parse(plain));
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined;
  return decoded(url.username) === undefined || decoded(url.password) === undefined ? undefined : url.href;
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    // A percent sign that encodes nothing.
    return undefined;
  }
}
