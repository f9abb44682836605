import type { KnownModel } from "../config/surroundings.ts";
import type { WrittenTerminal } from "../config/terminal-schema.ts";
import type { DriverModel } from "../terminal/driver.ts";
import type { PluggedDevice } from "../transport/devices.ts";
import type { Prompt } from "./line-prompt.ts";

type Connection = WrittenTerminal["connection"];

/** A device offered as the terminal. */
export interface Offer {
  readonly connection: Connection;
  /** Its probable model. */
  readonly model?: string;
  readonly words: string;
}

/** Plugged-in devices that may be a terminal: serial ports, and USB devices similar to a model. Opens nothing. */
export async function offers(models: readonly DriverModel[]): Promise<readonly Offer[]> {
  const [{ lookAtDevices }, devices] = await Promise.all([
    import("../transport/devices.ts"),
    import("../agent/devices.ts"),
  ]);
  const { devices: plugged } = await lookAtDevices();
  return offersOf(plugged, models, devices);
}

type Views = Pick<typeof import("../agent/devices.ts"), "deviceView" | "matchingOf">;

export function offersOf(
  plugged: readonly PluggedDevice[],
  models: readonly DriverModel[],
  { deviceView, matchingOf }: Views,
): readonly Offer[] {
  return plugged.flatMap((device) => {
    const { model, why, candidates } = matchingOf(device, models);
    if (device.kind === "usb" ? candidates.length === 0 : device.usb === undefined) return [];
    const { connection, name, problem } = deviceView(device, { models, terminals: [], followed: (path) => path });
    const known =
      model === undefined
        ? `no model is named: ${why}`
        : `${model}, because ${candidates[0]?.because.join(", ") ?? why}`;
    return [
      {
        connection,
        ...(model !== undefined && { model }),
        words: `${name} (${known})${problem === undefined ? "" : `; ${problem}`}`,
      },
    ];
  });
}

/** A person's answer: a number of the list, a device, an address, or none. */
export type DeviceAnswer =
  | { readonly is: "none" }
  | { readonly is: "device"; readonly connection: Connection; readonly model?: string }
  | { readonly is: "unclear" };

export function deviceAnswer(text: string, list: readonly Offer[]): DeviceAnswer {
  if (text === "none") return { is: "none" };
  const offer = /^[0-9]{1,3}$/.test(text) ? list[Number(text) - 1] : undefined;
  if (offer !== undefined)
    return { is: "device", connection: offer.connection, ...(offer.model !== undefined && { model: offer.model }) };
  if (text.startsWith("/") || /^COM[0-9]+$/i.test(text)) return { is: "device", connection: { serial: text } };
  const [, kind, address] = /^(?:(websocket|tcp) +)?(\[[^\]]+\]:[0-9]+|[^\s:]+:[0-9]+)$/.exec(text) ?? [];
  if (address !== undefined)
    return { is: "device", connection: kind === "websocket" ? { websocket: address } : { tcp: address } };
  return { is: "unclear" };
}

/** Lists the devices and asks which is the terminal. */
export async function askDevice(
  prompt: Prompt,
  list: readonly Offer[],
  again: (problem: string) => void,
): Promise<Exclude<DeviceAnswer, { is: "unclear" }>> {
  for (const [at, { words }] of list.entries()) prompt.tell(`  ${at + 1}  ${words}`);
  if (list.length === 0) prompt.tell("  nothing is plugged in that could be a terminal");
  const usual = list.length === 0 ? "none" : "1";
  for (;;) {
    const text = await prompt.ask(
      `Its number, a serial device, HOST:PORT, websocket HOST:PORT, or none for now [${usual}]: `,
    );
    const answer = deviceAnswer(text === "" ? usual : text, list);
    if (answer.is !== "unclear") return answer;
    again(
      `${text} is none of these: write for example ${list.length === 0 ? "" : "1, or "}/dev/ttyACM0, or 192.168.1.20:6543, or none`,
    );
  }
}

/** The models that support that connection. */
export function modelsFor(connection: Connection, models: readonly KnownModel[]): readonly string[] {
  const [kind] = Object.keys(connection);
  return models.filter(({ lines }) => lines.some((line) => line.kind === kind)).map(({ id }) => id);
}
