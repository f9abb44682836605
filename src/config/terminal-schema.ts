import { z } from "zod";
import { digits, entityId, path, printable, settlement, settlementByBrand } from "./schema-values.ts";

/* A terminal in written form, in the configuration file or in the data folder (contract, section 2). */

export const MAX_TERMINALS = 64;

const usbId = z
  .int("must be a number, for example 0x0801; change it")
  .min(1, "must be a number from 1 to 65535; change it")
  .max(0xffff, "must be a number from 1 to 65535; change it");

/** host:port, the host a name, an IPv4 address or an IPv6 address in brackets. */
export const TCP_ADDRESS = /^(?:\[([0-9A-Fa-f:.]+)\]|([A-Za-z0-9._-]+)):([0-9]{1,5})$/;

const usb = z
  .strictObject({
    vendorId: usbId.meta({ description: "The maker's number, as `terminals scan` shows it: `0x0801`." }),
    productId: usbId.meta({ description: "The product's number, as `terminals scan` shows it: `0x2020`." }),
    serialNumber: printable(64)
      .min(1, "is empty; write it as `terminals scan` shows it")
      .optional()
      .meta({
        description: "The device's serial number. Needed where two devices are of one make.",
        examples: ["B53C0A1"],
      }),
  })
  .meta({ description: "A terminal without a port of its own (HID, bulk). `terminals scan` shows the numbers." });

const connection = z
  .strictObject({
    serial: path.optional().meta({
      description:
        "Path of the serial device. Its name below `/dev/serial/by-id` stays the same after each plugging in. On Windows the port, or the USB device behind it.",
      examples: ["/dev/serial/by-id/usb-10000001-if00", "COM5", "USB\\VID_2DDA&PID_0515\\10000001"],
    }),
    tcp: z
      .string()
      .regex(TCP_ADDRESS, "must be host:port, for example 192.168.1.20:6543; change it")
      .optional()
      .meta({ description: "Address of a terminal in the network, as `HOST:PORT`.", examples: ["192.168.1.20:6543"] }),
    websocket: z
      .string()
      .regex(TCP_ADDRESS, "must be host:port without ws:// (there is no TLS), for example 192.168.1.20:80; change it")
      .optional()
      .meta({
        description: "Address of a terminal that is a WebSocket server in this network, without TLS.",
        examples: ["192.168.1.20:80"],
      }),
    usb: usb.optional(),
  })
  .meta({
    minProperties: 1,
    maxProperties: 1,
    description: "How the terminal is connected: exactly one of serial, tcp, usb, websocket.",
    examples: [{ serial: "/dev/serial/by-id/..." }],
  });

const coordinate = (limit: number) =>
  z
    .string()
    .regex(
      /^[+-]?[0-9]{1,3}\.[0-9]{1,8}$/,
      'must be a decimal number with 1 to 8 decimals in quotes, for example "50.1109"; change it',
    )
    .refine((text) => Math.abs(Number(text)) <= limit, `must be from -${limit} to ${limit} degrees; change it`);

const location = z
  .strictObject({
    latitude: coordinate(90).meta({
      description: "Degrees from -90 to 90, with 1 to 8 decimals, in quotes.",
      examples: ["50.1109"],
    }),
    longitude: coordinate(180).meta({
      description: "Degrees from -180 to 180, with 1 to 8 decimals, in quotes.",
      examples: ["8.6821"],
    }),
    accuracy: z
      .string()
      .regex(/^[0-9]{1,32}$/, 'must be whole metres in quotes, for example "10"; change it')
      .optional()
      .meta({ description: "Whole metres, in quotes.", examples: ["10"] }),
  })
  .meta({ description: "Where the terminal stands. It is sent with each payment." });

/** A terminal's name for people. */
export const labelSchema = printable(64).min(1, "is empty; write what people call the terminal");

export const terminalSchema = z.strictObject({
  id: z
    .string()
    .regex(
      /^[A-Za-z0-9][A-Za-z0-9._-]{0,31}$/,
      "must be 1 to 32 letters, digits, dots, dashes or underscores, beginning with a letter or digit; change it",
    )
    .meta({
      description: "The name that registers use: 1 to 32 letters, digits, dots, dashes or underscores.",
      examples: ["till-1"],
    }),
  model: z.string().meta({
    description: "One of the models. `terminals scan` says which one a device probably is.",
    examples: ["miura-m020"],
  }),
  connection,
  options: z
    .record(
      z
        .string()
        .regex(/^[A-Za-z][A-Za-z0-9]{0,31}$/, "must be the name of an option of the model; see its PROTOCOL.md"),
      printable(64),
    )
    .default({})
    .meta({
      description: "Options of the model, where the usual value does not fit. Every value is in quotes.",
      examples: [{ baudRate: "115200" }],
    }),
  terminalId: digits.meta({
    description: "pos.terminalId, 1 to 32 digits. The acquirer gives it.",
    examples: ["12345678"],
  }),
  deviceType: z
    .string()
    .regex(
      /^[A-Za-z0-9_]{1,32}$/,
      "must be 1 to 32 letters, digits or underscores, as the acquirer names the model; change it",
    )
    .optional()
    .meta({
      description: "pos.deviceType as the acquirer names it: 1 to 32 letters, digits or underscores.",
      examples: ["MIURA_M020"],
    }),
  deviceId: digits.optional().meta({
    description: "pos.deviceId, 1 to 32 digits. A serial number with letters stays local.",
    examples: ["0012345"],
  }),
  entityId: entityId
    .optional()
    .meta({ description: "The terminal's own channel (shop in shop). Without it the gateway's." }),
  settlement: settlement.optional().meta({
    description: "The terminal's own settlement. Without it the gateway's. With it the gateway's brands do not count.",
    examples: ["single"],
  }),
  settlementByBrand: settlementByBrand
    .optional()
    .meta({ description: "The terminal's own brands. Without it the gateway's.", examples: [{ AMEX: "single" }] }),
  location: location.optional(),
});

export type WrittenTerminal = z.infer<typeof terminalSchema>;
