import { WebUSB } from "usb";

/* Another program that has the device: claims its interface, says so, and holds it until it is killed. */

const IDTECH = 0x0acd;

async function claim(): Promise<void> {
  const devices = await new WebUSB({ allowAllDevices: true }).getDevices();
  const device = devices.find(({ vendorId }) => vendorId === IDTECH);
  if (device === undefined) throw new Error("there is no device to claim");
  await device.open();
  await device.detachKernelDriver(0);
  await device.claimInterface(0);
  process.stdout.write("claimed\n");
  setInterval(() => undefined, 1_000);
}

void claim();
