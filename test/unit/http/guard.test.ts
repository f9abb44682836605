import { describe, expect, it } from "vitest";
import { createGuard } from "../../../src/http/guard.ts";
import { servedNames } from "../../../src/kit/served-names.ts";

const NOBODY = { hostName: "", addresses: [] };

const guard = (port: number, secure: boolean, names: readonly string[] = []) =>
  createGuard({
    port: () => port,
    secure,
    names: () => servedNames({ host: "127.0.0.1", names }, NOBODY),
    origins: ["https://till.example"],
  });

describe("the guard of the port", () => {
  it.each([
    ["plain, port 80 left out", 80, false, "localhost", undefined, true],
    ["plain, port 80 said", 80, false, "localhost:80", undefined, true],
    ["TLS, port 443 left out", 443, true, "localhost", undefined, true],
    ["TLS on 7717, port left out", 7717, true, "localhost", undefined, false],
    ["own page over TLS", 7717, true, "shop.example:7717", "https://shop.example:7717", true],
    ["own name with another scheme", 7717, true, "shop.example:7717", "http://shop.example:7717", false],
    ["configured name in capitals", 7717, false, "SHOP.example:7717", undefined, true],
    ["configured IPv6 address", 7717, false, "[fd00::1]:7717", undefined, true],
    ["IPv6 address without brackets", 7717, false, "fd00::1:7717", undefined, false],
    ["empty Host", 7717, false, "", undefined, false],
    ["empty Origin", 7717, false, "localhost:7717", "", false],
    ["the dot of the root behind a name", 7717, false, "localhost.:7717", undefined, true],
    ["the same without a port", 80, false, "Shop.Example.", undefined, true],
    ["the same in the origin of a page of its own", 7717, false, "localhost.:7717", "http://localhost.:7717", true],
    ["two such dots", 7717, false, "localhost..:7717", undefined, false],
    ["such a dot behind another name", 7717, false, "evil.example.:7717", undefined, false],
    ["such a dot behind brackets", 7717, false, "[::1].:7717", undefined, false],
    ["nothing but a dot", 7717, false, ".:7717", undefined, false],
    ["user part before the name", 7717, false, "x@localhost:7717", undefined, false],
  ])("judges: %s", (_what, port, secure, host, origin, passes) => {
    const { refusal } = guard(port, secure, ["Shop.example", "fd00::1"]);
    expect(refusal({ host: [host], origin: origin === undefined ? [] : [origin] }) === undefined).toBe(passes);
  });

  it("refuses a request without a Host", () => {
    expect(guard(7717, false).refusal({})?.words).toBe(
      "this host name is not served here: add it to listen.names in the configuration",
    );
  });

  it("serves a configured name that has the dot of the root by its plain form too", () => {
    const { refusal } = guard(7717, false, ["shop.example."]);
    expect(["shop.example:7717", "shop.example.:7717"].map((host) => refusal({ host: [host] }))).toEqual([
      undefined,
      undefined,
    ]);
  });

  it("knows an address that the machine got while the bridge ran", () => {
    const machine = { hostName: "shop-pc", addresses: ["192.168.1.5"] };
    const { refusal } = createGuard({
      port: () => 7717,
      secure: true,
      names: () => servedNames({ host: "0.0.0.0" }, machine),
      origins: [],
    });
    const isServed = (host: string): boolean => refusal({ host: [host], origin: [`https://${host}`] }) === undefined;
    expect(["192.168.1.5:7717", "192.168.1.6:7717"].map(isServed)).toEqual([true, false]);
    machine.addresses = ["192.168.1.6"];
    expect(["192.168.1.5:7717", "192.168.1.6:7717"].map(isServed)).toEqual([false, true]);
  });
});
