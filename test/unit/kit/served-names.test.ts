import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hostInUrl, isEveryAddress, servedNames } from "../../../src/kit/served-names.ts";

const MACHINE = {
  hostName: "Shop-PC",
  addresses: ["127.0.0.1", "192.168.1.5", "10.0.0.5", "::1", "fd00::5", "fe80::1ff:fe23:4567:890a"],
};
const LOOPBACK = ["127.0.0.1", "localhost", "[::1]"];

describe("the names by which registers may ask", () => {
  it.each([
    ["0.0.0.0", ["shop-pc", "192.168.1.5", "10.0.0.5"]],
    ["::", ["shop-pc", "192.168.1.5", "10.0.0.5", "[fd00::5]"]],
    ["192.168.1.5", ["192.168.1.5", "shop-pc"]],
    ["fd00::5", ["[fd00::5]", "shop-pc"]],
    ["bridge.shop.example", ["bridge.shop.example", "shop-pc", "192.168.1.5", "10.0.0.5", "[fd00::5]"]],
    ["127.0.0.1", []],
    ["localhost", []],
  ])("are on %s, besides those of loopback, the machine's own at which it listens", (host, names) => {
    expect(servedNames({ host }, MACHINE)).toEqual([...LOOPBACK, ...names]);
  });

  it.each(["0.0.0.0", "127.0.0.1"])("are on %s the configured ones in place of the machine's own", (host) => {
    const names = ["Bridge.Shop.example", "FD00:0::1"];
    expect(servedNames({ host, names }, MACHINE)).toEqual([...LOOPBACK, "bridge.shop.example", "[fd00::1]"]);
  });

  it("are those of loopback and the address alone on a machine that has no name", () => {
    expect(servedNames({ host: "192.168.1.5" }, { hostName: "", addresses: [] })).toEqual([...LOOPBACK, "192.168.1.5"]);
  });
});

describe("a host as a URL writes it", () => {
  it.each([
    ["Shop.Example", "shop.example"],
    ["k\u00e4se.example", "xn--kse-qla.example"],
    ["192.168.1.5", "192.168.1.5"],
    ["FD00:0:0::0001", "[fd00::1]"],
    ["[fd00::1]", "[fd00::1]"],
    ["till_1", "till_1"],
  ])("%s is %s", (text, host) => {
    expect(hostInUrl(text)).toBe(host);
  });

  it.each([
    "",
    " ",
    "https://shop.example",
    "shop.example:7717",
    "shop.example/v1",
    "a@shop.example",
    "*.example",
    "a b",
    "fe80::1%eth0",
    "[::1]:80",
    "::g",
    "x?y",
    "x#y",
  ])("%j is none", (text) => {
    expect(hostInUrl(text)).toBeUndefined();
  });

  it("is the same when it is read once more, and never throws", () => {
    fc.assert(
      fc.property(fc.oneof(fc.domain(), fc.ipV4(), fc.ipV6(), fc.string()), (text) => {
        const host = hostInUrl(text);
        if (host !== undefined) expect(hostInUrl(host)).toBe(host);
      }),
    );
  });

  it("of an address is one that a server is asked by", () => {
    fc.assert(fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (address) => hostInUrl(address) !== undefined));
  });

  it.each(["0.0.0.0", "::", "[::]", "0:0::0"])("%s is every address", (text) =>
    expect(isEveryAddress(text)).toBe(true),
  );
  it.each(["0.0.0.1", "::1", "shop.example", ""])("%s is not every address", (text) =>
    expect(isEveryAddress(text)).toBe(false),
  );
});
