import { newCodec, overOf, pack, packNotification, read } from "../../../../drivers/magtek-edynamo/codec.ts";
import { magtekEdynamoSpec, type V5State } from "../../../../drivers/magtek-edynamo/driver.ts";
import {
  encodeAnswer,
  encodeResult,
  extended,
  notifications,
  packetIn,
  plain,
} from "../../../../drivers/magtek-edynamo/message.ts";
import { encodeDynaPro, tags } from "../../../../src/card/dynapro-data.ts";
import { encodeTlvs, type Tlv } from "../../../../src/emv/tlv.ts";
import { concat, fromAscii } from "../../../../src/kit/bytes.ts";
import { fromHex, toHex } from "../../../../src/kit/hex.ts";
import type { TransportKind } from "../../../../src/terminal/driver.ts";
import { ALL, createDriverBench, type DriverBench } from "../../../support/driver-bench.ts";

/** A driver on a bench: events go in by hand, and everything it does is kept. */
export interface Bench extends DriverBench<V5State> {
  /** Answers an extended command with this result. */
  result(result?: string, data?: string): void;
  /** Answers a plain command. */
  answer(code: number, data?: string): void;
  pending(): void;
  tell(name: keyof typeof notifications, data: Uint8Array): void;
  /** Progress: event and stage. */
  progress(event: string, stage: string): void;
}

const nameOf = (table: Readonly<Record<string, string | number>>, value: string | number): string | undefined =>
  Object.entries(table).find(([, known]) => known === value)?.[0];

/** A packet in words: its command, and its data in hexadecimal. */
function inWords(code: number, data: Uint8Array): string {
  const packet = code === plain.extended ? packetIn(data) : undefined;
  if (packet === undefined) return [nameOf(plain, code) ?? code, toHex(data)].join(" ").trim();
  const name = nameOf(extended, packet.id) ?? packet.id;
  return [packet.offset === 0 ? name : `${name}+${packet.offset}`, toHex(packet.part)].join(" ").trim();
}

export function createBench(reader = "tdynamo", transport: TransportKind = "serial"): Bench {
  const over = overOf(transport);
  let host = newCodec(over, "host");
  const words = (written: readonly Uint8Array[]): readonly string[] =>
    written.flatMap((bytes) => {
      const { codec, heard } = read(host, bytes);
      host = codec;
      return heard.flatMap((message) => (message.is === "command" ? [inWords(message.code, message.data)] : []));
    });
  const bench = createDriverBench({ spec: magtekEdynamoSpec, transport, options: { reader }, inWords: words });
  const says = (message: Uint8Array): void => bench.feed({ on: "bytes", bytes: pack(over, "device", message) });
  const tell: Bench["tell"] = (name, data) => {
    for (const bytes of packNotification(over, notifications[name], data)) bench.feed({ on: "bytes", bytes });
  };
  return {
    ...bench,
    result: (result = "0000", data = "") => says(encodeResult(result, fromHex(data))),
    answer: (code, data = "") => says(encodeAnswer(code, fromHex(data))),
    pending: () => says(encodeAnswer(0x0b, new Uint8Array(0))),
    tell,
    progress: (event, stage) => tell("progress", fromHex(`${event}FF${stage}0000`)),
  };
}

export interface Told {
  readonly serial?: string;
  readonly cancel?: string;
  readonly mask?: string;
  readonly format?: string;
  readonly level?: string;
  readonly ksn?: string;
  readonly clock?: string;
}

/** Answers to everything that is asked while identifying, in its order. */
export function identifying(
  bench: Bench,
  { serial = "B3F2A1C", cancel = "038D", mask = "06040N", format = "01", level = "03", ksn, clock }: Told = {},
): Bench {
  bench.feed({ on: "opened" });
  bench.fire("settle");
  bench.command({ do: "identify" });
  bench.answer(0x00, toHex(fromAscii(serial)));
  bench.result(cancel);
  bench.answer(0x00, toHex(fromAscii("1000003358A12")));
  bench.answer(mask === "" ? 0x02 : 0x00, toHex(fromAscii(mask)));
  bench.answer(0x00, "01");
  bench.answer(0x00, format);
  bench.answer(level === "" ? 0x0d : 0x00, level);
  if (ksn === "") bench.answer(0x06);
  else bench.answer(0x00, ksn ?? "FFFF9876543210E00001");
  if (bench.state().settings.transport === "usb") bench.answer(0x00);
  if (clock === "") bench.result("0396");
  else bench.result("0000", clock ?? "010F0E1E000012");
  return bench;
}

export function identified(bench: Bench = createBench()): Bench {
  identifying(bench);
  bench.look();
  return bench;
}

const SERIAL = fromAscii("B3F2A1C");
export const KSN = "FFFF9876543210E00001";

const frame = { macKsn: fromHex(KSN), macType: 0x82, serialNumber: SERIAL, mac: () => new Uint8Array(4) };
const one = (tag: string, value: string): Tlv => ({ tag, value: fromHex(value) });

export interface ArqcOf {
  readonly type?: string;
  readonly fallback?: string;
  readonly track?: string;
  readonly encryption?: string;
  readonly more?: readonly Tlv[];
  readonly sealed?: boolean;
}

export const MASKED = ";4761340000000119=2212201?";

/** Data of an ARQC. */
export function arqc({
  type = "05",
  fallback = "00",
  track = MASKED,
  encryption = "80",
  more = [],
  sealed = true,
}: ArqcOf = {}): Uint8Array {
  const ciphertext = encodeTlvs([
    one(tags.data, "00112233445566778899AABBCCDDEEFF"),
    one(tags.ksn, KSN),
    one(tags.encryption, encryption),
    one(tags.padding, "00"),
  ]);
  const objects = [
    one(tags.fallback, fallback),
    { tag: tags.maskedChip, value: fromAscii(track) },
    one(tags.cardType, type),
    ...(sealed ? [{ tag: tags.sealed, value: ciphertext }] : []),
    ...more,
  ];
  return encodeDynaPro(frame, [{ tag: tags.arqc, value: encodeTlvs(objects) }]);
}

/** Data of a result with this status. */
export function resultOf(status: string, more: readonly Tlv[] = []): Uint8Array {
  const told = { tag: tags.status, value: encodeTlvs([one(tags.accepted, status), one(tags.reason, "00")]) };
  const merchant = {
    tag: tags.merchant,
    value: encodeTlvs([one("9F06", "A0000000031010"), one("9F34", "1E0300"), ...more]),
  };
  const data = encodeDynaPro(frame, [{ tag: tags.results, value: encodeTlvs([told, merchant]) }]);
  return concat(Uint8Array.of(0), data);
}

/** A collect in which the device waits for a card. */
export function waiting(
  bench: Bench,
  changes: Partial<typeof ALL> = {},
): { readonly bench: Bench; readonly n: number } {
  const n = bench.command({ do: "collect", request: { ...ALL, ...changes } });
  bench.result();
  bench.look();
  return { bench, n };
}

/** A chip that waits for its issuer. */
export function held(bench: Bench = identified(), of: ArqcOf = {}, event = "01"): Bench {
  waiting(bench);
  bench.progress(event, "02");
  bench.tell("arqc", arqc(of));
  bench.look();
  return bench;
}
