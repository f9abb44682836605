import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createPlaces } from "../../../src/kit/places.ts";

describe("places for strangers", () => {
  it("are taken until none is left, and then the one who came first leaves for the newest", () => {
    const places = createPlaces<string>({ all: 2, perAddress: 9 });
    expect(["a", "b", "c", "d"].map((who) => places.take(who, "127.0.0.1"))).toEqual([undefined, undefined, "a", "b"]);
  });

  it("are free again once given back, and nobody leaves for whom there is room", () => {
    const places = createPlaces<string>({ all: 2, perAddress: 9 });
    for (const who of ["a", "b"]) places.take(who, undefined);
    places.leave("a");
    places.leave("nobody");
    expect(places.take("c", undefined)).toBeUndefined();
    expect(places.take("d", undefined)).toBe("b");
  });

  it("are fewer for one other address, which pays for its newcomers itself", () => {
    const places = createPlaces<string>({ all: 9, perAddress: 2 });
    places.take("old", "10.0.0.1");
    expect(["a", "b", "c"].map((who) => places.take(who, "10.0.0.2"))).toEqual([undefined, undefined, "a"]);
    expect(places.take("new", "10.0.0.1")).toBeUndefined();
  });

  it.each(["127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1", undefined])(
    "are as many for %s as there are",
    (address) => {
      const places = createPlaces<number>({ all: 5, perAddress: 1 });
      expect([1, 2, 3, 4, 5].map((who) => places.take(who, address))).toEqual([
        undefined,
        undefined,
        undefined,
        undefined,
        undefined,
      ]);
    },
  );

  it("count an IPv4 address once, in whichever form it is written", () => {
    const places = createPlaces<string>({ all: 5, perAddress: 1 });
    places.take("a", "10.0.0.1");
    expect(places.take("b", "::ffff:10.0.0.1")).toBe("a");
  });

  it("never hold more than their limits, and always hold the newest", () => {
    const addresses = fc.constantFrom("127.0.0.1", "10.0.0.1", "10.0.0.2", undefined);
    const step = fc.record({ address: addresses, leaves: fc.boolean() });
    fc.assert(
      fc.property(
        fc.array(step),
        fc.integer({ min: 1, max: 5 }),
        fc.integer({ min: 1, max: 3 }),
        (steps, all, perAddress) => {
          const places = createPlaces<number>({ all, perAddress });
          const inside = new Map<number, string | undefined>();
          for (const [who, { address, leaves }] of steps.entries()) {
            const out = places.take(who, address);
            if (out !== undefined) expect(inside.delete(out)).toBe(true);
            inside.set(who, address);
            expect(inside.size).toBeLessThanOrEqual(all);
            for (const other of ["10.0.0.1", "10.0.0.2"])
              expect([...inside.values()].filter((one) => one === other).length).toBeLessThanOrEqual(perAddress);
            if (!leaves) continue;
            places.leave(who);
            inside.delete(who);
          }
        },
      ),
    );
  });
});
