import { describe, expect, it } from "vitest";
import { serveMade, watchCertificate, withRenewedCertificate } from "../../../src/agent/certificates.ts";
import type { TlsIdentity } from "../../../src/config/configuration.ts";
import { parseConfiguration } from "../../../src/config/parse.ts";
import { Secret } from "../../../src/kit/secret.ts";
import loopbackTls from "../../vectors/loopback-tls.json" with { type: "json" };
import { DAY_MS, madeCertificates, servedBy } from "../certificates/shop-certificates.ts";
import { fileOf, SMALLEST, surroundings } from "../config/surroundings.ts";

const NOW = Date.UTC(2026, 10, 24);
const RENEWED = "the bridge's certificate was renewed by this machine's authority";
const FAILED = "the bridge's certificate could not be renewed; it is tried again in six hours";

/** A bridge that serves the certificate of its own machine. */
function servingShop() {
  const shop = madeCertificates(NOW);
  const { cert, key } = servedBy(shop);
  const listener: { tls: TlsIdentity } = { tls: { cert, key: new Secret(key) } };
  const logged: string[] = [];
  const error = (fields: object, message: string): void => void logged.push(`${JSON.stringify(fields)} ${message}`);
  const log = { info: (_: object, message: string): void => void logged.push(message), error };
  const served = (): TlsIdentity => listener.tls;
  const certify = async (tls: TlsIdentity): Promise<void> => {
    listener.tls = tls;
  };
  const made = { isMade: () => shop.files.has("authority.pem"), book: async () => shop.book };
  const watch = () => watchCertificate({ ...made, clock: shop.clock, log, served, certify });
  return { ...{ shop, made, listener, logged, log, served, certify, watch } };
}

describe("the certificate of a running bridge", () => {
  it("is renewed within six hours of the 75th day, and served at once", async () => {
    const { shop, listener, logged, watch } = servingShop();
    const stop = watch();
    const first = listener.tls.cert;
    await shop.clock.advance(75 * DAY_MS);
    expect([listener.tls.cert, logged]).toEqual([first, []]);
    await shop.clock.advance(DAY_MS / 4);
    expect(logged).toEqual([RENEWED]);
    expect(listener.tls.cert).toBe(shop.text("bridge.crt"));
    expect(listener.tls.cert).not.toBe(first);
    await shop.clock.advance(730 * DAY_MS);
    expect(logged).toEqual(Array.from({ length: 10 }, () => RENEWED));
    stop();
    expect(shop.clock.pending()).toBe(0);
  });

  it("is an alarm where it cannot be renewed, again after six hours, and renewed once it can", async () => {
    const { shop, logged, watch } = servingShop();
    const stop = watch();
    const sound = shop.store.read("authority.pem");
    shop.files.set("authority.pem", { is: "refused", problem: "is open to others; run: chmod 600 authority.pem" });
    await shop.clock.advance(75.5 * DAY_MS);
    const problem = "/data/certificates/authority.pem is open to others; run: chmod 600 authority.pem";
    const alarm = `{"alarm":true,"error":"${problem}"} ${FAILED}`;
    expect(logged).toEqual([alarm, alarm]);
    shop.files.set("authority.pem", sound);
    await shop.clock.advance(DAY_MS / 4);
    expect(logged.slice(2)).toEqual([RENEWED]);
    stop();
  });

  it("is an alarm where the disk refuses it, and the old one stays in use", async () => {
    const { shop, made, listener, log, logged, served, certify } = servingShop();
    const first = listener.tls.cert;
    const full = () => {
      throw new Error("ENOSPC: no space left on device");
    };
    const stop = watchCertificate({
      ...made,
      book: async () => ({ renew: full }),
      clock: shop.clock,
      log,
      served,
      certify,
    });
    await shop.clock.advance(DAY_MS / 4);
    expect(logged).toEqual([`{"alarm":true,"error":"ENOSPC: no space left on device"} ${FAILED}`]);
    expect(listener.tls.cert).toBe(first);
    stop();
  });

  it("is the one just made, if the listener has this machine's key", async () => {
    const { shop, listener, served, certify } = servingShop();
    shop.book.create({ hosts: ["bridge.shop.example"], networks: [], replace: true });
    expect(await serveMade(shop.store, { served, certify })).toBe(true);
    expect(listener.tls.cert).toBe(shop.text("bridge.crt"));
    const foreign = { cert: loopbackTls.certificate, key: new Secret(loopbackTls.key) };
    expect(await serveMade(shop.store, { served: () => foreign, certify })).toBe(false);
    expect(await serveMade(shop.store, { served: () => undefined, certify })).toBe(false);
  });
});

describe("a start", () => {
  it("renews a certificate that ended while the machine was off, before it is served", async () => {
    const { shop, made, log, logged } = servingShop();
    const { cert, key } = servedBy(shop);
    const files = { "/etc/posbridge/cert.pem": fileOf(cert), "/etc/posbridge/key.pem": fileOf(key) };
    const listen = "listen: { host: 0.0.0.0, tls: { cert: cert.pem, key: key.pem } }\n";
    const reading = parseConfiguration(SMALLEST + listen, "/etc/posbridge/posbridge.yaml", surroundings({ files }));
    if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
    const renewing = { ...made, log };
    expect(await withRenewedCertificate(reading.configuration, renewing)).toBe(reading.configuration);
    shop.clock.setWall(NOW + 300 * DAY_MS);
    const { listen: renewed } = await withRenewedCertificate(reading.configuration, renewing);
    expect(renewed.tls?.cert).toBe(shop.text("bridge.crt"));
    expect(renewed.tls?.cert).not.toBe(cert);
    expect(logged).toEqual([RENEWED]);
  });
});
