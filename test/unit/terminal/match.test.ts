import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { driverModels } from "../../../drivers/index.ts";
import type { Fingerprint } from "../../../src/terminal/driver.ts";
import { matchDevice, type Shown } from "../../../src/terminal/match.ts";

const model = (id: string, ...fingerprints: readonly Partial<Fingerprint>[]) => ({
  id,
  title: id.toUpperCase(),
  fingerprints: fingerprints.map(
    (one): Fingerprint => ({ over: "serial", vendorId: 0x1111, score: 80, source: "S", ...one }),
  ),
});
const shown: Shown = {
  over: "serial",
  vendorId: 0x1111,
  productId: 0x2222,
  manufacturer: "Maker",
  product: "P1",
  paths: ["/dev/ttyACM0", "/dev/serial/by-id/usb-Maker-if00"],
};

describe("a device is taken for a model", () => {
  it.each<[string, Partial<Fingerprint>]>([
    ["vendor id 1111", {}],
    ["vendor id 1111, product id 2222", { productId: 0x2222 }],
    ['vendor id 1111, manufacturer "Maker"', { manufacturer: /^maker$/i }],
    ['vendor id 1111, product "P1"', { product: /P[12]/ }],
    ["vendor id 1111, path /dev/serial/by-id/usb-Maker-if00", { path: /by-id\/usb-Maker/ }],
  ])("by %s", (because, fingerprint) => {
    const matching = matchDevice(shown, [model("a", fingerprint)]);
    expect(matching).toMatchObject({ model: "a", why: `a has 80 of 100: ${because}` });
  });

  it("by the best of its fingerprints that hold as a whole", () => {
    const matching = matchDevice(shown, [
      model("a", { score: 70 }, { productId: 0x2222, score: 90 }, { productId: 0x3333, score: 100 }),
    ]);
    expect(matching.candidates.map(({ score }) => score)).toEqual([90]);
  });
});

describe("no model is named", () => {
  it.each<[string, Partial<Fingerprint>]>([
    ["another vendor", { vendorId: 0x1112 }],
    ["another product", { productId: 0x2223 }],
    ["another manufacturer", { manufacturer: /other/ }],
    ["another text", { product: /other/ }],
    ["another path", { path: /ttyUSB/ }],
    ["another way of being connected", { over: "usb" }],
  ])("for %s", (_, fingerprint) => {
    expect(matchDevice(shown, [model("a", fingerprint)])).toEqual({
      why: "no model's ids or texts are these",
      candidates: [],
    });
  });

  it("for ids that others use too", () => {
    const { model: named, why } = matchDevice(shown, [model("a", { score: 59 })]);
    expect(named).toBeUndefined();
    expect(why).toBe("a has 59 of 100, and 60 are needed: vendor id 1111 are not its alone");
  });

  it("where two are too close, and the surer one where it leads", () => {
    const close = matchDevice(shown, [model("a", { score: 86 }), model("b", { score: 100 })]);
    expect(close).toMatchObject({
      why: "b has 100 of 100 and a 86, which is too close to tell; choose the model by its name plate",
    });
    expect(close.model).toBeUndefined();
    expect(matchDevice(shown, [model("a", { score: 85 }), model("b", { score: 100 })]).model).toBe("b");
  });

  it("for a device without ids, as a port of the machine itself", () => {
    expect(matchDevice({ over: "serial", paths: ["/dev/ttyS0"] }, driverModels).candidates).toEqual([]);
  });
});

describe("the roster", () => {
  it.each<[Partial<Shown>, string | undefined]>([
    [{ vendorId: 0x2dda, productId: 1 }, "miura-m020"],
    [{ vendorId: 0x2dda, productId: 1, product: "M020" }, "miura-m020"],
    [{ vendorId: 0x0525, productId: 0xa4a7, product: "Gadget Serial" }, undefined],
    [{ vendorId: 0x0525, productId: 0xa4a7, manufacturer: "Miura Systems" }, "miura-m020"],
    [{ vendorId: 0x0525, productId: 0xa4a6, manufacturer: "Miura Systems" }, undefined],
    [{ over: "usb", vendorId: 0x0acd, productId: 0x3530 }, "idtech-vp3300"],
    [{ over: "usb", vendorId: 0x0acd, productId: 0x3810 }, undefined],
  ])("%j is %s", (device, named) => {
    expect(matchDevice({ over: "serial", paths: [], ...device }, driverModels).model).toBe(named);
  });

  it("says the same whatever the order of the models, and never names one that is not sure and ahead", () => {
    const device = fc.record({
      over: fc.constantFrom("serial" as const, "usb" as const),
      vendorId: fc.constantFrom(0x2dda, 0x0525, 0x0acd, 0x0b00, 0x0801, 1),
      productId: fc.integer({ min: 0, max: 0xffff }),
      product: fc.string(),
      paths: fc.array(fc.string()),
    });
    fc.assert(
      fc.property(device, fc.integer({ min: 0, max: 5 }), (shownDevice, turn) => {
        const turned = [...driverModels.slice(turn), ...driverModels.slice(0, turn)];
        const matching = matchDevice(shownDevice, driverModels);
        expect(matchDevice(shownDevice, turned)).toEqual(matching);
        const [first, second] = matching.candidates;
        const isClear = first !== undefined && first.score >= 60 && first.score - (second?.score ?? 0) >= 15;
        expect(matching.model).toBe(isClear ? first.model : undefined);
      }),
    );
  });
});
