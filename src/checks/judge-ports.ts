import { type Check, fail, ok, warn } from "./check.ts";
import type { PortFound } from "./findings.ts";

/** Ports for registers and for the gateway's notifications. */

const DAY_MS = 86_400_000;
const EXPIRES_SOON_DAYS = 30;

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

function judgeCertificate({ name, key, who }: Listener, found: PortFound): Check {
  const { tls, atRest } = found;
  const where = atRest === undefined ? `${who} served at ${placeOf(found)}` : `${placeOf(found)} is free`;
  if (tls === undefined)
    return ok(name, atRest === undefined ? `${where} without TLS, for this machine alone.` : `${where}.`);
  const days = Math.floor((tls.validTo - tls.now) / DAY_MS);
  const fix = `Put a new certificate in place of ${key}.tls.cert, and start the bridge again.`;
  if (tls.now < tls.validFrom)
    return fail(
      name,
      `${where}, with a certificate that is not valid yet.`,
      `Look at this machine's clock and at ${key}.tls.cert.`,
    );
  if (days < 0) return fail(name, `${where}, with a certificate that has expired.`, fix);
  const text = `${where} with TLS; the certificate is valid for ${days} more days.`;
  return days < EXPIRES_SOON_DAYS ? warn(name, text, fix) : ok(name, text);
}
