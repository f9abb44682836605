import { createGadget, type Gadget } from "./gadget.ts";

/** A Miura PED: a CDC-ACM device, whose serial number is also the device's own. */
export function createPed(name: string, serialNumber: string): Gadget {
  return createGadget({
    name,
    vendorId: 0x2dda,
    productId: 0x0515,
    manufacturer: "Miura Systems",
    product: "M020",
    serialNumber,
    function: { is: "acm" },
  });
}

export const VP3300 = { vendorId: 0x0acd, productId: 0x3530 };

/** An ID TECH VP3300: HID with reports of 64 bytes, each with one of four numbers. */
export function createVp3300(name: string, serialNumber: string): Gadget {
  const how = { is: "hid", reportBytes: 64, reportIds: [1, 2, 3, 4], outEndpoint: true } as const;
  return createGadget({ name, ...VP3300, manufacturer: "ID TECH", product: "VP3300", serialNumber, function: how });
}
