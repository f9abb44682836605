import { toHex } from "../../src/kit/hex.ts";

/** Class, instruction and parameters of a command (PROTOCOL.md 3.1). */
export interface Header {
  readonly cla: number;
  readonly ins: number;
  readonly p1: number;
  readonly p2: number;
}

/** A command to the device. `le` is the number of bytes wanted back, which only file reading uses. */
export interface Apdu extends Header {
  readonly data: Uint8Array;
  readonly le?: number;
}

/** What differs from a model's table of commands. */
export interface Parameters {
  readonly p1?: number;
  readonly p2?: number;
  readonly data?: Uint8Array;
}

export interface CommandTable<Name extends string> {
  /** The command of that name; parameters and data where they differ from the table. */
  readonly commandApdu: (name: Name, parameters?: Parameters) => Apdu;
  /** The name of a command by its class and instruction, or undefined where the table does not know it. */
  readonly commandName: (apdu: Pick<Apdu, "cla" | "ins">) => Name | undefined;
}

/** A model's commands by their names, with the parameters each is sent with unless a caller says otherwise (PROTOCOL.md 3.3). */
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

/** Class and instruction as four digits: the key of a simulated device's commands. */
export function commandCode({ cla, ins }: Apdu): string {
  return toHex(Uint8Array.of(cla, ins));
}
