import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { outside, parseReach, type Reach } from "../../../src/certificates/reach.ts";

function reachOf(hosts: readonly string[], networks: readonly string[] = []): Reach {
  const reading = parseReach(hosts, networks);
  if (!reading.ok) throw new Error(reading.problem);
  return reading.reach;
}

describe("the names and networks of a certificate", () => {
  it("are told apart, in one form, without what is there twice", () => {
    const hosts = ["Bridge.Shop.example", "bridge.shop.example", "192.168.1.20", "[fd00::0:5]", "fd00::5", "localhost"];
    expect(reachOf(hosts, ["192.168.1.77/24", "fd00:1:2:3:4::/64"])).toEqual({
      names: ["bridge.shop.example"],
      addresses: ["192.168.1.20", "fd00::5"],
      networks: ["192.168.1.0/24", "fd00:1:2:3::/64"],
    });
  });

  const NOT_HOST =
    "is not a host name or an address; name one without scheme, port or wildcard, for example bridge.shop.example";
  const NOT_NETWORK = "is not a network; write address/prefix, for example 192.168.1.0/24";
  const NOT_OWN = "is no private network (RFC 1918, RFC 4193); a public address is given alone, by --name";
  it.each([
    [[], [], "no name or address of this machine is given; name it by --name"],
    [["127.0.0.1"], [], "no name or address of this machine is given; name it by --name"],
    [["https://bridge.shop.example"], [], `"https://bridge.shop.example" ${NOT_HOST}`],
    [["*.shop.example"], [], `"*.shop.example" ${NOT_HOST}`],
    [["till_1"], [], `"till_1" ${NOT_HOST}`],
    [["-till"], [], `"-till" ${NOT_HOST}`],
    [[`${"a".repeat(64)}.example`], [], `"${"a".repeat(64)}.example" ${NOT_HOST}`],
    [["0.0.0.0"], [], '"0.0.0.0" is every address; name the one that tills use'],
    [["till"], ["192.168.1.0"], `"192.168.1.0" ${NOT_NETWORK}`],
    [["till"], ["192.168.1.0/33"], `"192.168.1.0/33" ${NOT_NETWORK}`],
    [["till"], ["shop.example/24"], `"shop.example/24" ${NOT_NETWORK}`],
    [["till"], ["203.0.113.0/24"], `"203.0.113.0/24" ${NOT_OWN}`],
    [["till"], ["0.0.0.0/0"], `"0.0.0.0/0" ${NOT_OWN}`],
    [["till"], ["172.16.0.0/11"], `"172.16.0.0/11" ${NOT_OWN}`],
    [["till"], ["2001:db8::/32"], `"2001:db8::/32" ${NOT_OWN}`],
    [
      Array.from({ length: 33 }, (_, at) => `till-${at}`),
      [],
      "more than 32 names are given; name the ones that tills use by --name",
    ],
    [["till"], Array.from({ length: 17 }, (_, at) => `10.${at}.0.0/16`), "more than 16 networks are given; name fewer"],
  ])("%j and %j are refused", (hosts, networks, problem) => {
    expect(parseReach(hosts, networks)).toEqual({ ok: false, problem });
  });

  it.each([
    ["bridge.shop.example", []],
    ["deep.bridge.shop.example", []],
    ["shop.example", ["shop.example"]],
    ["xbridge.shop.example", ["xbridge.shop.example"]],
    ["192.168.1.99", []],
    ["192.168.2.1", ["192.168.2.1"]],
    ["10.0.0.7", []],
    ["10.0.0.8", ["10.0.0.8"]],
    ["fd00:1::99", []],
    ["fd00:2::99", ["fd00:2::99"]],
  ])("%s against bridge.shop.example, 10.0.0.7, 192.168.1.0/24 and fd00:1::/64: outside are %j", (host, beyond) => {
    const known = reachOf(["bridge.shop.example", "10.0.0.7"], ["192.168.1.0/24", "fd00:1::/64"]);
    expect(outside(reachOf([host]), known)).toEqual(beyond);
  });

  it("an address of a network lies in it, and in no network of another first bit", () => {
    const address = fc.array(fc.nat(255), { minLength: 3, maxLength: 3 }).map((rest) => ["10", ...rest].join("."));
    fc.assert(
      fc.property(address, fc.integer({ min: 8, max: 32 }), (written, prefix) => {
        const [, second = "0"] = written.split(".");
        const known = reachOf(["till"], [`${written}/${prefix}`]);
        const flipped = written.replace(/^10\.[0-9]+/, `10.${Number(second) ^ 128}`);
        expect(outside(reachOf([written]), known)).toEqual([]);
        expect(outside(reachOf([flipped]), known)).toEqual(prefix > 8 ? [flipped] : []);
      }),
    );
  });

  it("whatever is written is read or refused, and never thrown at", () => {
    fc.assert(
      fc.property(
        fc.array(fc.string(), { maxLength: 3 }),
        fc.array(fc.string(), { maxLength: 3 }),
        (hosts, networks) => {
          const reading = parseReach(hosts, networks);
          expect(
            reading.ok ? reading.reach.names.every((name) => /^[a-z0-9.-]+$/.test(name)) : reading.problem,
          ).toBeTruthy();
        },
      ),
    );
  });
});
