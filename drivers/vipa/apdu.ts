import { toHex } from "../../src/kit/hex.ts";

/** Class, instruction and parameters of a command (PROTOCOL.md 3.1). */
export interface Header {
  readonly cla: number;
  readonly ins: number;
  readonly p1: number;
  readonly p2: number;
}

/** A command to the device. `le`: number of bytes to return, used only for reading files. */
export interface Apdu extends Header {
  readonly data: Uint8Array;
  readonly le?: number;
}

/** Deviations from a model's command table. */
export interface Parameters {
  readonly p1?: number;
  readonly p2?: number;
  readonly data?: Uint8Array;
}

export interface CommandTable<Name extends string> {
  /** The command with that name; parameters and data override the table. */
  readonly commandApdu: (name: Name, parameters?: Parameters) => Apdu;
  /** Name of a command by class and instruction; undefined if the table lacks it. */
  readonly commandName: (apdu: Pick<Apdu, "cla" | "ins">) => Name | undefined;
}

/** A model's commands by name, with their default parameters (PROTOCOL.md 3.3). */
export function commandTable<Name extends string>(commands: Readonly<Record<Name, Header>>): CommandTable<Name> {
  const isName = (text: string): text is Name => Object.hasOwn(commands, text);
  const names = Object.keys(commands).filter(isName);
  return {
    commandApdu: (name, { p1, p2, data } = {}) => {
      const row = commands[name];
      return { ...row, p1: p1 ?? row.p1, p2: p2 ?? row.p2, data: data ?? new Uint8Array(0) };
    },
    commandName: ({ cla, ins }) => names.find((name) => commands[name].cla === cla && commands[name].ins === ins),
  };
}

/** Class and instruction as four digits; the simulator finds its commands by them. */
export function commandCode({ cla, ins }: Apdu): string {
  return toHex(Uint8Array.of(cla, ins));
}
