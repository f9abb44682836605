/** The terminal's connection as in the configuration: exactly one kind. */
export interface Connection {
  readonly serial?: string | undefined;
  readonly tcp?: string | undefined;
  readonly websocket?: string | undefined;
  readonly usb?:
    | { readonly vendorId: number; readonly productId: number; readonly serialNumber?: string | undefined }
    | undefined;
}
export type Kind = "serial" | "usb" | "tcp" | "websocket";

/** A device found by a scan; `model` is the detected model. */
export interface Device {
  readonly connection: Connection;
  readonly name: string;
  readonly serialNumber?: string | undefined;
  readonly model?: string | undefined;
  readonly likely: readonly { readonly model: string; readonly why: string }[];
  readonly usedBy?: string | undefined;
  readonly problem?: string | undefined;
}

export interface Model {
  readonly id: string;
  readonly title: string;
  readonly connections: readonly Kind[];
  readonly options: readonly { readonly name: string; readonly meaning: string; readonly usual: string }[];
}

/** The form's texts as typed. Unused fields stay empty. */
export interface PairForm {
  readonly id: string;
  readonly label: string;
  readonly model: string;
  readonly kind: Kind;
  readonly address: string;
  readonly usbVendor: string;
  readonly usbProduct: string;
  readonly usbSerial: string;
  readonly terminalId: string;
  readonly deviceType: string;
  readonly deviceId: string;
  readonly entityId: string;
  /** Only options that differ from the default. */
  readonly options: Readonly<Record<string, string>>;
}
export type TextField = Exclude<keyof PairForm, "kind" | "options">;

export type PairAction =
  | { readonly is: "typed"; readonly field: TextField; readonly text: string }
  | { readonly is: "kind"; readonly kind: Kind }
  | { readonly is: "option"; readonly name: string; readonly text: string }
  /** Takes over a scanned device: connection, and model if known. */
  | { readonly is: "device"; readonly device: Device };

/** The first free of "till-1", "till-2", ... */
export function freeId(taken: readonly string[]): string {
  let number = 1;
  while (taken.includes(`till-${number}`)) number += 1;
  return `till-${number}`;
}

export function emptyForm(id: string): PairForm {
  const usb = { usbVendor: "", usbProduct: "", usbSerial: "" };
  return {
    id,
    label: "",
    model: "",
    kind: "serial",
    address: "",
    ...usb,
    terminalId: "",
    deviceType: "",
    deviceId: "",
    entityId: "",
    options: {},
  };
}

export function pairForm(form: PairForm, action: PairAction): PairForm {
  switch (action.is) {
    case "typed":
      return { ...form, [action.field]: action.text, ...(action.field === "model" && { options: {} }) };
    case "kind":
      return { ...form, kind: action.kind };
    case "option":
      return { ...form, options: { ...form.options, [action.name]: action.text } };
    case "device":
      return withDevice(form, action.device);
  }
}

function withDevice(form: PairForm, { connection, model, likely }: Device): PairForm {
  const { serial, tcp, websocket, usb } = connection;
  const kind: Kind =
    usb !== undefined ? "usb" : tcp !== undefined ? "tcp" : websocket !== undefined ? "websocket" : "serial";
  return {
    ...form,
    model: model ?? likely[0]?.model ?? form.model,
    kind,
    address: serial ?? tcp ?? websocket ?? "",
    usbVendor: usb === undefined ? "" : hexText(usb.vendorId),
    usbProduct: usb === undefined ? "" : hexText(usb.productId),
    usbSerial: usb?.serialNumber ?? "",
    options: {},
  };
}

function hexText(number: number): string {
  return number.toString(16).padStart(4, "0");
}

/** A device's connection for people. */
export function connectionText({ serial, tcp, websocket, usb }: Connection): string {
  if (usb !== undefined)
    return `USB ${hexText(usb.vendorId)}:${hexText(usb.productId)}${usb.serialNumber === undefined ? "" : `, serial number ${usb.serialNumber}`}`;
  return serial ?? tcp ?? (websocket === undefined ? "no connection" : `ws://${websocket}`);
}

/** Problems by field. */
export type Problems = Readonly<Partial<Record<TextField, string>>>;

/**
 * `pair`: a new terminal. `replace`: another device for an existing one, which keeps its id and, by default, its
 * terminal id at the acquirer.
 */
export type Purpose = "pair" | "replace";

export function problemsOf(form: PairForm, purpose: Purpose): Problems {
  const { id, model, kind, address, usbVendor, usbProduct, terminalId, deviceId, deviceType } = form;
  const isNew = purpose === "pair";
  return {
    ...(isNew &&
      !/^[A-Za-z0-9][A-Za-z0-9._-]{0,31}$/.test(id.trim()) && {
        id: "1 to 32 letters, digits, dots, dashes or underscores.",
      }),
    ...(model === "" && { model: "Choose the model: it is printed on the back of the terminal." }),
    ...(kind !== "usb" && address.trim() === "" && { address: ADDRESS[kind] }),
    ...(kind === "usb" &&
      numberOf(usbVendor) === undefined && { usbVendor: "Four hexadecimal digits, as lsusb shows them." }),
    ...(kind === "usb" &&
      numberOf(usbProduct) === undefined && { usbProduct: "Four hexadecimal digits, as lsusb shows them." }),
    ...(isNew && terminalId.trim() === "" && { terminalId: "The acquirer gave it to you: digits." }),
    ...(!/^[0-9]{0,32}$/.test(terminalId.trim()) && { terminalId: "Digits only, as the acquirer gave it." }),
    ...(!/^[A-Za-z0-9_]{0,32}$/.test(deviceType.trim()) && { deviceType: "Letters, digits and underscores only." }),
    ...(!/^[0-9]{0,32}$/.test(deviceId.trim()) && {
      deviceId: "Digits only. A serial number with letters stays here: leave the field empty.",
    }),
  };
}

const ADDRESS: Readonly<Record<Exclude<Kind, "usb">, string>> = {
  serial: "The path of the serial device, such as /dev/serial/by-id/... or COM5",
  tcp: "Its address and port, such as 192.168.1.20:6543",
  websocket: "Its address and port, such as 192.168.1.20:80",
};

function numberOf(text: string): number | undefined {
  const digits = text.trim().replace(/^0x/i, "");
  return /^[0-9a-f]{1,4}$/i.test(digits) ? Number.parseInt(digits, 16) : undefined;
}

function connectionOf({ kind, address, usbVendor, usbProduct, usbSerial }: PairForm): Connection {
  switch (kind) {
    case "serial":
      return { serial: address.trim() };
    case "tcp":
      return { tcp: address.trim() };
    case "websocket":
      return { websocket: address.trim() };
    case "usb": {
      const serialNumber = usbSerial.trim();
      const device = { vendorId: numberOf(usbVendor) ?? 0, productId: numberOf(usbProduct) ?? 0 };
      return { usb: { ...device, ...(serialNumber !== "" && { serialNumber }) } };
    }
  }
}

export interface DeviceParams {
  readonly model: string;
  readonly connection: Connection;
  readonly terminalId?: string;
  readonly deviceType?: string;
  readonly deviceId?: string;
  readonly options?: Readonly<Record<string, string>>;
}
export interface PairParams extends DeviceParams {
  readonly id: string;
  readonly terminalId: string;
  readonly label?: string;
  readonly entityId?: string;
}

/** Common parameters of both calls; empty fields are omitted. */
export function deviceParams(form: PairForm): DeviceParams {
  const { terminalId, deviceType, deviceId } = trimmed(form);
  const options = Object.fromEntries(Object.entries(form.options).filter(([, text]) => text.trim() !== ""));
  return {
    model: form.model,
    connection: connectionOf(form),
    ...(terminalId !== "" && { terminalId }),
    ...(deviceType !== "" && { deviceType }),
    ...(deviceId !== "" && { deviceId }),
    ...(Object.keys(options).length > 0 && { options }),
  };
}

export function pairParams(form: PairForm): PairParams {
  const { id, terminalId, label, entityId } = trimmed(form);
  return {
    ...deviceParams(form),
    id,
    terminalId,
    ...(label !== "" && { label }),
    ...(entityId !== "" && { entityId }),
  };
}

function trimmed({ id, label, terminalId, deviceType, deviceId, entityId }: PairForm) {
  return {
    ...{ id: id.trim(), label: label.trim(), terminalId: terminalId.trim() },
    ...{ deviceType: deviceType.trim(), deviceId: deviceId.trim(), entityId: entityId.trim() },
  };
}

/** The form's field for a refusal of the bridge. */
export function fieldOf(path: string | undefined): TextField | undefined {
  const name = path?.replace(/^terminals\[[0-9]+\]\./, "") ?? "";
  if (/^connection\.usb\.vendorId/.test(name)) return "usbVendor";
  if (/^connection\.usb/.test(name)) return "usbProduct";
  if (name.startsWith("connection")) return "address";
  return FIELDS.find((field) => field === name);
}

const FIELDS = ["id", "label", "model", "terminalId", "deviceType", "deviceId", "entityId"] as const;
