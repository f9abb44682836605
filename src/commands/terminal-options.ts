import path from "node:path";
import type { Command } from "commander";
import type { z } from "zod";
import type { pairRequest, replaceRequest } from "../control/methods.ts";
import { UsageProblem } from "./terminal-output.ts";

type Connection = z.output<typeof pairRequest>["connection"];
type Device = z.output<typeof replaceRequest>;

/** Options that describe a device. */
export interface DeviceOptions {
  readonly model?: string;
  readonly serial?: string;
  readonly tcp?: string;
  readonly websocket?: string;
  readonly usb?: string;
  readonly terminalId?: string;
  readonly deviceType?: string;
  readonly deviceId?: string;
  readonly option?: readonly string[];
}

export function withDevice(command: Command): Command {
  return command
    .option("--model <model>", "its model, as `simulate --list` and the README name it")
    .option("--serial <path>", "connected at this serial device")
    .option("--tcp <host:port>", "or over the network")
    .option("--websocket <host:port>", "or as a WebSocket server in the network")
    .option("--usb <ids>", "or over USB: VENDOR:PRODUCT in hexadecimal digits, or VENDOR:PRODUCT:SERIALNUMBER")
    .option("--terminal-id <digits>", "pos.terminalId, from the acquirer")
    .option("--device-type <name>", "pos.deviceType, as the acquirer names the model")
    .option("--device-id <digits>", "pos.deviceId")
    .option("--option <name=value...>", "options of the model");
}

/** The device in the form of the configuration, whose rules check the values. */
export function deviceOf(options: DeviceOptions): Device {
  const { model, terminalId, deviceType, deviceId, option = [] } = options;
  const connection = connectionOf(options);
  return {
    ...(model !== undefined && { model }),
    ...(connection !== undefined && { connection }),
    ...(terminalId !== undefined && { terminalId }),
    ...(deviceType !== undefined && { deviceType }),
    ...(deviceId !== undefined && { deviceId }),
    ...(option.length > 0 && { options: Object.fromEntries(option.map(pairOf)) }),
  };
}

function connectionOf({ serial, tcp, websocket, usb }: DeviceOptions): Connection | undefined {
  const given = {
    ...(serial !== undefined && { serial: /^COM[0-9]+$/i.test(serial) ? serial : path.resolve(serial) }),
    ...(tcp !== undefined && { tcp }),
    ...(websocket !== undefined && { websocket }),
    ...(usb !== undefined && { usb: usbOf(usb) }),
  };
  const kinds = Object.keys(given);
  if (kinds.length > 1)
    throw new UsageProblem(`--${kinds.join(" and --")}: a terminal has one connection; say one of them`);
  return kinds.length === 0 ? undefined : given;
}

function usbOf(text: string): NonNullable<Connection["usb"]> {
  const parts = /^(?:0x)?([0-9a-f]{1,4}):(?:0x)?([0-9a-f]{1,4})(?::(.+))?$/i.exec(text);
  if (parts === null)
    throw new UsageProblem(
      `--usb ${text}: write VENDOR:PRODUCT in hexadecimal digits, for example 0801:0003, or with :SERIALNUMBER behind it`,
    );
  const [, vendor = "", product = "", serialNumber] = parts;
  return {
    vendorId: Number.parseInt(vendor, 16),
    productId: Number.parseInt(product, 16),
    ...(serialNumber !== undefined && { serialNumber }),
  };
}

function pairOf(text: string): readonly [string, string] {
  const at = text.indexOf("=");
  if (at < 1) throw new UsageProblem(`--option ${text}: write NAME=VALUE`);
  return [text.slice(0, at), text.slice(at + 1)];
}
