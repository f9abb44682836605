import fc from "fast-check";
import { expect, it } from "vitest";
import { isMadeUp, portName, usbPort, usbPortName } from "../../../src/kit/port-name.ts";

it.each([
  ["COM5", "COM5"],
  ["com12", "COM12"],
  ["\\\\.\\COM12", "COM12"],
  ["usb\\vid_2dda&pid_0515\\10000001", "USB\\VID_2DDA&PID_0515\\10000001"],
  ["/dev/ttyACM0", undefined],
  ["./COM5", undefined],
  ["COM0", undefined],
  ["C:\\COM5", undefined],
  ["COM5.txt", undefined],
  ["USB\\VID_2DDA&PID_0515\\6&1A2B3C4D&0&2", undefined],
  ["USB\\VID_2DDA&PID_0515", undefined],
])("%s is the port %s", (text, name) => {
  expect(portName(text)).toBe(name);
});

it("the name of a USB device leads back to its ids and serial number, in one form alone", () => {
  const id = fc.nat(0xffff);
  const serialNumber = fc.string({ unit: fc.constantFrom(..."0123456789ABCabc-._ "), minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(fc.record({ vendorId: id, productId: id, serialNumber }), (device) => {
      const name = usbPortName(device);
      expect(usbPort(name)).toEqual(device);
      expect(portName(name.toLowerCase().replace(/[^\\]+$/, device.serialNumber))).toBe(name);
    }),
  );
});

it.each([
  ["10000001", false],
  ["6&1A2B3C4D&0&2", true],
])("the serial number %s is one that Windows made up: %s", (text, isSo) => {
  expect(isMadeUp(text)).toBe(isSo);
});
