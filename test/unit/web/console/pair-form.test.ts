import { describe, expect, it } from "vitest";
import {
  connectionText,
  deviceParams,
  emptyForm,
  fieldOf,
  freeId,
  type PairAction,
  type PairForm,
  pairForm,
  pairParams,
  problemsOf,
} from "../../../../src/web/console/pair-form.ts";

const told = (...actions: readonly PairAction[]): PairForm => actions.reduce(pairForm, emptyForm("till-2"));
const typed = (field: Extract<PairAction, { is: "typed" }>["field"], text: string): PairAction => ({
  is: "typed",
  field,
  text,
});
const READER = {
  connection: { usb: { vendorId: 0x0acd, productId: 0x3810, serialNumber: "1234T" } },
  name: "ID TECH VP3300",
  model: "idtech-vp3300",
  likely: [{ model: "idtech-vp3300", why: "USB 0acd:3810" }],
};

describe("the form that pairs a terminal", () => {
  it("takes connection and model from the device that was chosen", () => {
    const form = told(typed("terminalId", "12345678"), { is: "device", device: READER });
    expect(problemsOf(form, "pair")).toEqual({});
    expect(pairParams(form)).toEqual({
      id: "till-2",
      model: "idtech-vp3300",
      terminalId: "12345678",
      connection: READER.connection,
    });
  });

  it("names every field that is missing or wrong", () => {
    expect(Object.keys(problemsOf(told(), "pair"))).toEqual(["model", "address", "terminalId"]);
    const wrong = told(
      typed("id", "-1"),
      typed("model", "x"),
      { is: "kind", kind: "usb" },
      typed("usbVendor", "hello"),
      typed("terminalId", "12a"),
      typed("deviceId", "A1"),
    );
    expect(Object.keys(problemsOf(wrong, "pair"))).toEqual(["id", "usbVendor", "usbProduct", "terminalId", "deviceId"]);
  });

  it("leaves out what is empty, and sends what was typed without the spaces around it", () => {
    const filled = [
      typed("model", "pax"),
      { is: "kind", kind: "tcp" } as const,
      typed("address", " 10.0.0.9:6543 "),
      typed("terminalId", " 9 "),
      typed("label", " front desk "),
    ];
    expect(pairParams(told(...filled))).toEqual({
      id: "till-2",
      model: "pax",
      connection: { tcp: "10.0.0.9:6543" },
      terminalId: "9",
      label: "front desk",
    });
  });

  it("forgets the options of another model", () => {
    const form = told(typed("model", "a"), { is: "option", name: "baud", text: "9600" });
    expect(deviceParams(form).options).toEqual({ baud: "9600" });
    expect(deviceParams(pairForm(form, typed("model", "b"))).options).toBeUndefined();
    expect(deviceParams(told({ is: "option", name: "baud", text: " " })).options).toBeUndefined();
  });

  it("replaces a terminal without a new number of the acquirer", () => {
    const form = told(typed("model", "a"), typed("address", "/dev/ttyACM1"));
    expect(problemsOf(form, "replace")).toEqual({});
    expect(deviceParams(form)).toEqual({ model: "a", connection: { serial: "/dev/ttyACM1" } });
  });
});

it("proposes the first id that is free", () => {
  expect(freeId(["till-1", "till-2", "bar"])).toBe("till-3");
  expect(freeId([])).toBe("till-1");
});

it.each([
  ["connection.serial", "address"],
  ["connection.usb.vendorId", "usbVendor"],
  ["connection.usb", "usbProduct"],
  ["terminalId", "terminalId"],
  ["options", undefined],
  [undefined, undefined],
])("a refusal about %s stands at the field %s", (path, field) => {
  expect(fieldOf(path)).toBe(field);
});

it.each([
  [{ serial: "/dev/ttyS0" }, "/dev/ttyS0"],
  [{ usb: { vendorId: 0x801, productId: 3 } }, "USB 0801:0003"],
  [READER.connection, "USB 0acd:3810, serial number 1234T"],
  [{ websocket: "10.0.0.9:80" }, "ws://10.0.0.9:80"],
])("the connection %j reads %s", (connection, text) => {
  expect(connectionText(connection)).toBe(text);
});
