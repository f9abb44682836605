import { execFileSync } from "node:child_process";
import { X509Certificate } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { CertificateFile } from "../../../src/certificates/files.ts";
import loopbackTls from "../../vectors/loopback-tls.json" with { type: "json" };
import { DAY_MS, madeCertificates, type ShopCertificates, servedBy, shopCertificates } from "./shop-certificates.ts";

const NOW = Date.UTC(2026, 10, 24);

/** The verdict of openssl, an implementation of its own, at the time of the shop's clock. */
function opensslVerdict(shop: ShopCertificates, cert: string, ...more: readonly string[]): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "posbridge-certificates-"));
  onTestFinished(() => fs.rmSync(folder, { recursive: true }));
  const file = (name: string, text: string): string => {
    fs.writeFileSync(path.join(folder, name), text);
    return path.join(folder, name);
  };
  const at = String(Math.floor(shop.clock.now() / 1_000));
  const asked = ["-x509_strict", "-purpose", "sslserver", "-attime", at, "-CAfile"];
  const files = [file("authority.crt", shop.text("authority.crt")), ...more, file("leaf.crt", cert)];
  try {
    execFileSync("openssl", ["verify", ...asked, ...files], { encoding: "utf8", stdio: "pipe" });
    return "OK";
  } catch (cause) {
    const said = cause instanceof Error && "stderr" in cause ? String(cause.stderr) : String(cause);
    return /lookup: (.*)/.exec(said)?.[1] ?? said;
  }
}

const entriesOf = ({ book }: ShopCertificates) => {
  const listed = book.list();
  if (!listed.ok) throw new Error(listed.message);
  return listed.value;
};
const renewedOf = ({ book }: ShopCertificates, served: string): string | undefined => {
  const renewed = book.renew(served);
  if (!renewed.ok) throw new Error(renewed.message);
  return renewed.value?.cert;
};
const validTo = (cert: string): number => new X509Certificate(cert).validToDate.getTime();

describe("an authority of the shop's machine", () => {
  it("certifies the names and addresses that were given, and loopback", () => {
    const shop = madeCertificates(NOW);
    const { cert } = servedBy(shop);
    for (const name of ["bridge.shop.example", "localhost"])
      expect(opensslVerdict(shop, cert, "-verify_hostname", name)).toBe("OK");
    for (const address of ["192.168.1.20", "127.0.0.1", "::1"])
      expect(opensslVerdict(shop, cert, "-verify_ip", address)).toBe("OK");
    expect(opensslVerdict(shop, cert, "-verify_hostname", "other.shop.example")).toBe("hostname mismatch");
  });

  it.each([
    ["bridge.shop.example", "OK"],
    ["below.bridge.shop.example", "OK"],
    ["shop.example", "permitted subtree violation"],
    ["bank.example", "permitted subtree violation"],
    ["192.168.1.20", "OK"],
    ["192.168.1.21", "permitted subtree violation"],
    ["192.168.7.99", "OK"],
    ["fd00::1", "permitted subtree violation"],
  ])("could certify %s, even by a stolen key: %s", (host, verdict) => {
    const shop = madeCertificates(NOW, undefined, ["192.168.7.0/24"]);
    expect(opensslVerdict(shop, shop.stolen(host).cert)).toBe(verdict);
  });

  it("of a name alone certifies no address, and of an address alone no name", () => {
    const named = madeCertificates(NOW, ["bridge.shop.example"]);
    expect(opensslVerdict(named, named.stolen("10.0.0.1").cert)).toBe("permitted subtree violation");
    const numbered = madeCertificates(NOW, ["10.0.0.1"]);
    expect(opensslVerdict(numbered, numbered.stolen("bank.example").cert)).toBe("permitted subtree violation");
  });

  it("has critical name constraints, for servers alone, and no authority below it", () => {
    const shop = madeCertificates(NOW, ["bridge.shop.example"]);
    const said = execFileSync("openssl", ["x509", "-noout", "-text"], { input: shop.text("authority.crt") }).toString();
    expect(said).toMatch(/X509v3 Name Constraints: critical\s+Permitted:\s+DNS:bridge\.shop\.example\s+DNS:localhost/);
    expect(said).toMatch(/Basic Constraints: critical\s+CA:TRUE, pathlen:0/);
    expect(said).toMatch(/Key Usage: critical\s+Certificate Sign\s+X509v3 Extended Key Usage: \s+TLS Web Server/);
  });

  it("tells its names, its end, and a fingerprint", () => {
    const shop = madeCertificates(NOW, ["bridge.shop.example"], ["192.168.1.0/24"]);
    const { fingerprint256, fingerprint } = new X509Certificate(shop.text("authority.crt"));
    expect(entriesOf(shop)).toMatchObject([
      {
        is: "authority",
        names: ["bridge.shop.example", "localhost", "127.0.0.1/32", "::1/128", "192.168.1.0/24"],
        validTo: "2036-11-21T00:00:00.000Z",
        fingerprint: fingerprint256,
        thumbprint: fingerprint,
        file: "/data/certificates/authority.crt",
      },
      { is: "bridge", names: ["bridge.shop.example"], validTo: "2027-03-24T00:00:00.000Z" },
    ]);
    expect(shop.book.print()).toEqual({ ok: true, value: shop.text("authority.crt") });
  });

  it("is kept for further names within, and refuses others until it is replaced", () => {
    const shop = madeCertificates(NOW, ["192.168.1.20"], ["192.168.1.0/24"]);
    const before = shop.text("authority.pem");
    const key = shop.text("bridge.key");
    const asked = { networks: [], replace: false };
    expect(shop.book.create({ ...asked, hosts: ["192.168.1.35"] })).toMatchObject({
      ok: true,
      value: { isNewAuthority: false, bridge: { names: ["192.168.1.35"] } },
    });
    expect(shop.book.create({ ...asked, hosts: ["192.168.2.35", "till.example"] })).toEqual({
      ok: false,
      message:
        "the authority of this machine may not certify till.example, 192.168.2.35; make a new one by --replace, and have every till trust it",
    });
    expect(shop.text("authority.pem")).toBe(before);
    expect(shop.book.create({ hosts: ["till.example"], networks: [], replace: true })).toMatchObject({
      ok: true,
      value: { isNewAuthority: true },
    });
    expect(shop.text("authority.pem")).not.toBe(before);
    expect(shop.text("bridge.key")).toBe(key);
    expect(opensslVerdict(shop, servedBy(shop).cert, "-verify_hostname", "till.example")).toBe("OK");
  });

  it.each<[CertificateFile, string, string]>([
    ["authority.pem", "is open to others; run: chmod 600 authority.pem", "create list print renew"],
    ["bridge.key", "is open to others; run: chmod 600 bridge.key", "create renew"],
  ])("does nothing by a key that others may read: %s", (file, problem, calls) => {
    const shop = madeCertificates(NOW);
    const { cert } = servedBy(shop);
    shop.files.set(file, { is: "refused", problem });
    shop.clock.setWall(NOW + 100 * DAY_MS);
    const answers = {
      create: shop.book.create({ hosts: ["bridge.shop.example"], networks: [], replace: false }),
      list: shop.book.list(),
      print: shop.book.print(),
      renew: shop.book.renew(cert),
    };
    const refused = Object.entries(answers).filter(([, { ok }]) => !ok);
    expect(refused.map(([call]) => call).join(" ")).toBe(calls);
    for (const [, answer] of refused)
      expect(answer).toEqual({ ok: false, message: `/data/certificates/${file} ${problem}` });
    expect(shop.text("bridge.crt")).toBe(cert);
  });

  it("says what to do where its file is damaged, and repeats nothing of it", () => {
    const shop = madeCertificates(NOW);
    const torn = shop.text("authority.pem").slice(0, 300);
    shop.files.set("authority.pem", { is: "file", text: torn });
    expect(shop.book.print()).toEqual({
      ok: false,
      message:
        "/data/certificates/authority.pem is damaged; make a new authority: posbridge certificates create --replace, and have every till trust it",
    });
    expect(shopCertificates(NOW).book.print()).toEqual({
      ok: false,
      message: "this machine has no certificate authority; make one: posbridge certificates create",
    });
  });
});

describe("the bridge's certificate", () => {
  it("is renewed 45 days before its end, with the same names and key", () => {
    const shop = madeCertificates(NOW);
    const { cert } = servedBy(shop);
    shop.clock.setWall(NOW + 75 * DAY_MS);
    expect(renewedOf(shop, cert)).toBeUndefined();
    shop.clock.setWall(NOW + 75 * DAY_MS + 1_000);
    const renewed = renewedOf(shop, cert) ?? "";
    expect(validTo(renewed)).toBe(NOW + 195 * DAY_MS + 1_000);
    expect(shop.text("bridge.crt")).toBe(renewed);
    expect(opensslVerdict(shop, renewed, "-verify_ip", "192.168.1.20")).toBe("OK");
    expect(renewedOf(shop, renewed)).toBeUndefined();
  });

  it("is renewed after its end: the machine was off for half a year", () => {
    const shop = madeCertificates(NOW);
    shop.clock.setWall(NOW + 180 * DAY_MS);
    const { cert } = servedBy(shop);
    expect(opensslVerdict(shop, cert)).toBe("certificate has expired");
    expect(opensslVerdict(shop, renewedOf(shop, cert) ?? "")).toBe("OK");
  });

  it("is renewed where it was made by a clock that was ahead", () => {
    const shop = madeCertificates(NOW);
    shop.clock.setWall(NOW + 2 * 365 * DAY_MS);
    const ahead = renewedOf(shop, servedBy(shop).cert) ?? "";
    shop.clock.setWall(NOW);
    expect(opensslVerdict(shop, ahead)).toBe("certificate is not yet valid");
    expect(opensslVerdict(shop, renewedOf(shop, ahead) ?? "")).toBe("OK");
  });

  it("never outlives its authority, whose end is told", () => {
    const shop = madeCertificates(NOW);
    const end = NOW + 3_650 * DAY_MS;
    shop.clock.setWall(end - 60 * DAY_MS);
    const last = renewedOf(shop, servedBy(shop).cert) ?? "";
    expect(validTo(last)).toBe(end);
    shop.clock.setWall(end - DAY_MS);
    expect(renewedOf(shop, last)).toBeUndefined();
    shop.clock.setWall(end);
    const message =
      "the authority of this machine has ended; make a new one: posbridge certificates create --replace, and have every till trust it";
    expect(shop.book.renew(last)).toEqual({ ok: false, message });
    expect(shop.book.create({ hosts: ["192.168.1.20"], networks: [], replace: false })).toEqual({ ok: false, message });
  });

  it("of another authority is left alone", () => {
    const shop = madeCertificates(NOW);
    shop.clock.setWall(Date.UTC(2200, 0, 1));
    expect(renewedOf(shop, loopbackTls.certificate)).toBeUndefined();
    expect(renewedOf(shopCertificates(NOW), loopbackTls.certificate)).toBeUndefined();
  });
});
