import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { driverModels } from "../../../drivers/index.ts";
import { udevRules } from "../../../src/service/udev-rules.ts";
import { UDEV_RULES } from "../../../src/transport/usb-error.ts";

const text = fs.readFileSync(path.resolve(import.meta.dirname, "../../../config/udev", UDEV_RULES), "utf8");
const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
const keysOf = (line: string): ReadonlyMap<string, string> =>
  new Map(
    [...line.matchAll(/([A-Z]+(?:\{[A-Za-z_]+\})?)(?:==|=)"([^"]*)"/g)].map(([, key = "", value = ""]) => [key, value]),
  );
const rules = lines.map(keysOf).filter((rule) => rule.has("SUBSYSTEM"));

const hex = (id: number): string => id.toString(16).padStart(4, "0");

/** The rules that a device with these ids meets. */
function met(
  subsystem: string,
  vendorId: number,
  productId: number | undefined,
): readonly ReadonlyMap<string, string>[] {
  const attribute = subsystem === "tty" ? "ATTRS" : "ATTR";
  return rules.filter((rule) => {
    const products = rule.get(`${attribute}{idProduct}`)?.split("|");
    const isProduct = products === undefined || (productId !== undefined && products.includes(hex(productId)));
    return rule.get("SUBSYSTEM") === subsystem && rule.get(`${attribute}{idVendor}`) === hex(vendorId) && isProduct;
  });
}

const fingerprints = driverModels.flatMap(({ id, fingerprints: of }) =>
  of.map((fingerprint) => ({ id, ...fingerprint })),
);

describe("the udev rules", () => {
  it.each(fingerprints)(
    "let the group open $id over $over, vendor $vendorId product $productId, and keep ModemManager away",
    ({ over, vendorId, productId }) => {
      const [usb] = met("usb", vendorId, productId);
      expect(usb?.get("ENV{DEVTYPE}")).toBe("usb_device");
      expect(usb?.get("ENV{ID_MM_DEVICE_IGNORE}")).toBe("1");
      const opened = over === "serial" ? met("tty", vendorId, productId)[0] : usb;
      expect([opened?.get("GROUP"), opened?.get("MODE")]).toEqual(["dialout", "0660"]);
    },
  );

  it("have ids for all families, each with its source", () => {
    const vendors = new Set(rules.flatMap((rule) => rule.get("ATTR{idVendor}") ?? []));
    expect([...vendors].sort()).toEqual(["0525", "0801", "0acd", "0b00", "11ca", "2dda", "2fb8"]);
    for (const { id: family } of driverModels) {
      expect(text).toMatch(new RegExp(`^# .*\\(${family}\\).*Source: `, "m"));
    }
  });

  it("are the same in the program", () => expect(udevRules).toBe(text));

  it("are lines of keys, operators and quoted values, and nothing is opened to everybody", () => {
    for (const line of lines) expect(line).toMatch(/^(?:[A-Z]+(?:\{[A-Za-z_]+\})?(?:==|!=|=)"[^"]*"(?:, |$))+$/);
    expect(rules.every((rule) => rule.get("MODE") === "0660")).toBe(true);
  });
});
