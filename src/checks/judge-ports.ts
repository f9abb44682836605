import { type Check, fail, ok, warn } from "./check.ts";
import type { AuthorityFound, PortFound } from "./findings.ts";

/** Ports for registers and for the gateway's notifications, and the authority of their certificates. */

const DAY_MS = 86_400_000;
const EXPIRES_SOON_DAYS = 30;
/** Every till has to trust the next authority: that takes visits. */
const AUTHORITY_ENDS_SOON_DAYS = 180;
/** A machine has many addresses at times. */
const MAX_NAMES = 5;

export function judgeAuthority(found: AuthorityFound): readonly Check[] {
  const name = "certificate-authority";
  const fix = "Make a new one (posbridge certificates create --replace), and have every till trust it.";
  switch (found.is) {
    case "none":
      return [];
    case "refused":
      return [
        fail(
          name,
          `The certificate authority of this machine cannot be used: ${found.problem}.`,
          "Do what the text says: without it the bridge's certificate is not renewed.",
        ),
      ];
    case "sound": {
      const days = Math.floor((found.validTo - found.now) / DAY_MS);
      if (days < 0) return [fail(name, `${found.subject} has ended.`, fix)];
      const text = `${found.subject} is valid for ${days} more days.`;
      return [days < AUTHORITY_ENDS_SOON_DAYS ? warn(name, text, fix) : ok(name, text)];
    }
  }
}

export function judgePort(found: PortFound): readonly Check[] {
  return [judgeListener({ name: "port", key: "listen", who: "Registers are" }, found)];
}

export function judgeWebhookPort(found: PortFound): readonly Check[] {
  return [judgeListener({ name: "webhook-port", key: "webhooks.listen", who: "Webhooks are" }, found)];
}

interface Listener {
  readonly name: string;
  /** Its section of the configuration. */
  readonly key: string;
  readonly who: string;
}

function judgeListener(listener: Listener, found: PortFound): Check {
  const { atRest } = found;
  return atRest === undefined || atRest === "free"
    ? judgeCertificate(listener, found)
    : notFree(listener, found, atRest);
}

function notFree(
  { name, key }: Listener,
  found: PortFound,
  why: Exclude<NonNullable<PortFound["atRest"]>, "free">,
): Check {
  const { host, port } = found;
  switch (why) {
    case "taken":
      if (found.servedBy !== undefined)
        return warn(
          name,
          `${placeOf(found)} is served by a posbridge already: ${howItIs(found.servedBy.reasons)}.`,
          ASK_IT,
        );
      return fail(
        name,
        `${placeOf(found)} is taken by another program.`,
        `Find it: sudo ss -ltnp 'sport = :${port}'; then stop it, or choose another ${key}.port.`,
      );
    case "no-permission":
      return fail(name, `This user may not listen on ${placeOf(found)}.`, `Choose a ${key}.port above 1023.`);
    case "no-address":
      return fail(name, `${host} is no address of this machine.`, `Correct ${key}.host.`);
  }
}

const ASK_IT = "Ask that bridge by its own configuration: posbridge doctor --config FILE";

function howItIs([reason]: readonly string[]): string {
  return reason === undefined ? "it sells" : `it is not ready (${reason.replace(/\.$/, "")})`;
}

function placeOf({ host, port }: PortFound): string {
  return `${host.includes(":") ? `[${host}]` : host}:${port}`;
}

const NAME_THEM =
  "Write the names that registers use into listen.names, and make a certificate of them, for example by posbridge certificates create.";

function unnamedText(where: string, unnamed: readonly string[]): string {
  const more = unnamed.length > MAX_NAMES ? ` and ${unnamed.length - MAX_NAMES} more` : "";
  return `${where} with TLS; the certificate does not name ${unnamed.slice(0, MAX_NAMES).join(", ")}${more}: registers that ask for these refuse it.`;
}

function judgeCertificate({ name, key, who }: Listener, found: PortFound): Check {
  const { tls, atRest } = found;
  const where = atRest === undefined ? `${who} served at ${placeOf(found)}` : `${placeOf(found)} is free`;
  if (tls === undefined)
    return ok(name, atRest === undefined ? `${where} without TLS, for this machine alone.` : `${where}.`);
  const days = Math.floor((tls.validTo - tls.now) / DAY_MS);
  const fix = `Put a new certificate in place of ${key}.tls.cert, and start the bridge again. One by posbridge certificates is renewed by itself: look at the log.`;
  if (tls.now < tls.validFrom)
    return fail(
      name,
      `${where}, with a certificate that is not valid yet.`,
      `Look at this machine's clock and at ${key}.tls.cert.`,
    );
  if (days < 0) return fail(name, `${where}, with a certificate that has expired.`, fix);
  const text = `${where} with TLS; the certificate is valid for ${days} more days.`;
  if (days < EXPIRES_SOON_DAYS) return warn(name, text, fix);
  return tls.unnamed === undefined ? ok(name, text) : warn(name, unnamedText(where, tls.unnamed), NAME_THEM);
}
