import { newCodec, overOf, pack, read } from "../../../../drivers/magtek-dynaflex/codec.ts";
import { type DynaFlexState, magtekDynaflexSpec } from "../../../../drivers/magtek-dynaflex/driver.ts";
import { type PropertyName, properties } from "../../../../drivers/magtek-dynaflex/identity.ts";
import {
  commands,
  encodeMessage,
  type Message,
  notifications,
  tlvPayload,
} from "../../../../drivers/magtek-dynaflex/message.ts";
import { payloadFor, propertiesIn } from "../../../../drivers/magtek-dynaflex/properties.ts";
import type { CollectRequest } from "../../../../src/card/command.ts";
import { tags } from "../../../../src/card/dynapro-data.ts";
import { encodeTlv, encodeTlvs, type Tlv } from "../../../../src/emv/tlv.ts";
import { concat, fromAscii } from "../../../../src/kit/bytes.ts";
import { fromHex, toHex } from "../../../../src/kit/hex.ts";
import type { TransportKind } from "../../../../src/terminal/driver.ts";
import { ALL, createDriverBench, type DriverBench } from "../../../support/driver-bench.ts";

type Request = Extract<Message, { is: "request" }>;

/** A driver on a bench: events go in by hand, and everything it does is kept. */
export interface Bench extends DriverBench<DynaFlexState> {
  /** Answers the request that was sent last. */
  answer(detail?: string, payload?: Uint8Array): void;
  /** Answers the same command of another host, which every host on a WebSocket sees. */
  answerAnother(): void;
  /** Any message of the device's. */
  says(message: Exclude<Message, { is: "other" }>): void;
  tell(name: keyof typeof notifications, code: string, payload?: Uint8Array): void;
  /** The request that was sent last, if any was. */
  last(): Request | undefined;
}

const DONE = "000000";

export function createBench(transport: TransportKind = "websocket"): Bench {
  let last: Request | undefined;
  let host = newCodec(overOf(transport), "host");
  const requestsIn = (written: readonly Uint8Array[]): readonly string[] =>
    written.flatMap((bytes) => {
      const { codec, heard } = read(host, bytes);
      host = codec;
      return heard.map((message) => {
        if (message.is !== "request") throw new Error("the driver wrote something else than a request");
        last = message;
        return told(message);
      });
    });
  const bench = createDriverBench({ spec: magtekDynaflexSpec, transport, inWords: requestsIn });
  const says = (message: Exclude<Message, { is: "other" }>): void => {
    for (const bytes of pack(overOf(transport), "device", encodeMessage(message))) bench.feed({ on: "bytes", bytes });
  };
  const lastRequest = (): Request => {
    if (last === undefined) throw new Error("nothing was sent");
    return last;
  };
  const answer = (detail: string, payload: Uint8Array, beside = 0): void => {
    const { ref, command } = lastRequest();
    says({ is: "response", ref: ref + beside, command, summary: detail === DONE ? 0 : 0x80, detail, payload });
  };
  return {
    ...bench,
    answer: (detail = DONE, payload = new Uint8Array(0)) => answer(detail, payload),
    answerAnother: () => answer(DONE, new Uint8Array(0), 100),
    says,
    tell: (name, code, payload = new Uint8Array(0)) =>
      says({ is: "notification", id: notifications[name], code, payload }),
    last: () => last,
  };
}

/** A request in words: its name, and its parameters in hexadecimal; of a property, its path. */
function told({ command, payload }: Request): string {
  const name = Object.entries(commands).find(([, id]) => id === command)?.[0] ?? command;
  const [property] = name === "get-property" || name === "set-property" ? propertiesIn(payload) : [];
  if (property !== undefined)
    return `${name} ${property.path}${property.value.length === 0 ? "" : `=${toHex(property.value)}`}`;
  return payload.length === 0 ? name : `${name} ${toHex(payload)}`;
}

/** What a DynaFlex Pro tells of itself that is set up for a shop. */
export const PROPERTIES: Readonly<Partial<Record<PropertyName, string>>> = {
  serialNumber: "B6032260",
  model: "44796E61466C65782050726F00",
  firmware: "313030303030373138332D41352D504349",
  state: "02",
  problems: "00",
  tampered: "00",
  locked: "00",
  dataKey: "200704",
  pinKey: "200001",
  pinKeyAes: "000007",
  keys: "00000081",
  leading: "06",
  trailing: "04",
  arpcTimeout: "FF",
  arpcTries: "00",
  userEvents: "0C000000",
  warning: "03",
  contactConfiguration: "37A2",
  fallback: "00",
};

/** Answers everything that is asked while identifying; a property that is not given is refused. */
export function answerAll(bench: Bench, given: Readonly<Partial<Record<PropertyName, string>>> = PROPERTIES): void {
  const byPath = new Map<string | undefined, string>(
    Object.entries(given).map(([name, value]) => [
      Object.entries(properties).find(([known]) => known === name)?.[1],
      value,
    ]),
  );
  for (let asked = 0; bench.state().job.is === "identify" && asked < 60; asked += 1) {
    const { command, payload } = bench.last() ?? {};
    const [property] = payload === undefined ? [] : propertiesIn(payload);
    const value = property && byPath.get(property.path);
    if (command !== commands["get-property"]) bench.answer();
    else if (property === undefined || value === undefined) bench.answer("020102");
    else bench.answer(DONE, payloadFor(property.path, fromHex(value)));
  }
}

/** Opens the link and identifies the device; everything that happened is already looked at. */
export function identified(bench: Bench, given: Readonly<Partial<Record<PropertyName, string>>> = PROPERTIES): Bench {
  bench.feed({ on: "opened" });
  if (bench.state().link === "settling") bench.fire("settle");
  bench.command({ do: "identify" });
  answerAll(bench, given);
  bench.look();
  return bench;
}

/** A member without a screen. */
export const PLAIN: typeof PROPERTIES = { ...PROPERTIES, model: "44796E61466C6578204949" };

const SERIAL = fromAscii("B603226");

function blob(generic: readonly Tlv[]): Uint8Array {
  const whole = encodeTlv(
    tags.whole,
    encodeTlvs([
      { tag: tags.macKsn, value: fromHex("FFFF9876543210E00001") },
      { tag: tags.macType, value: Uint8Array.of(0x82) },
      { tag: tags.serialNumber, value: SERIAL },
      { tag: tags.generic, value: encodeTlvs(generic) },
    ]),
  );
  const counted = concat(Uint8Array.of(whole.length >> 8, whole.length & 0xff), whole);
  const data = concat(counted, new Uint8Array((8 - (counted.length % 8)) % 8), new Uint8Array(4));
  return tlvPayload(["84", data]);
}

const sealed = (ksn: string, encryption: string): Tlv => ({
  tag: tags.sealed,
  value: encodeTlvs([
    { tag: tags.data, value: new Uint8Array(64).fill(0xa5) },
    { tag: tags.ksn, value: fromHex(ksn) },
    { tag: tags.encryption, value: fromHex(encryption) },
    { tag: tags.padding, value: Uint8Array.of(0) },
  ]),
});

export const KSN = "FFFF9876543210E00001";
export const CIPHERTEXT = "A5".repeat(64);
/** First six and last four digits, zeros between but for one. */
export const MASKED = ";4761730020000119=22122010000000000000?";

export interface ArqcOf {
  readonly type?: string;
  readonly fallback?: string;
  readonly masked?: string;
  readonly ksn?: string;
  readonly encryption?: string;
  /** Objects in clear beside the ciphertext. */
  readonly more?: readonly (readonly [string, string])[];
  readonly isSealed?: boolean;
}

const objects = (more: readonly (readonly [string, string])[]): readonly Tlv[] =>
  more.map(([tag, value]) => ({ tag, value: fromHex(value) }));

/** Payload of an ARQC; a contact chip's unless it is said otherwise. */
export function arqc({
  type = "05",
  fallback = "00",
  masked = MASKED,
  ksn = KSN,
  encryption = "80",
  more = [],
  isSealed = true,
}: ArqcOf = {}): Uint8Array {
  const inside = [
    { tag: tags.fallback, value: fromHex(fallback) },
    { tag: tags.maskedChip, value: fromAscii(masked) },
    ...(type === "" ? [] : [{ tag: tags.cardType, value: fromHex(type) }]),
    ...objects(more),
    ...(isSealed ? [sealed(ksn, encryption)] : []),
  ];
  return blob([{ tag: tags.arqc, value: encodeTlvs(inside) }]);
}

/** Payload of batch data: DFDF1A, and what is meant for a receipt. */
export function batch(
  word: string,
  more: readonly (readonly [string, string])[] = [["9F06", "A0000000031010"]],
  isSealed = true,
): Uint8Array {
  const merchant = encodeTlvs([{ tag: tags.maskedChip, value: fromAscii(MASKED) }, ...objects(more)]);
  const results = [
    { tag: tags.status, value: encodeTlvs([{ tag: tags.accepted, value: fromHex(word) }]) },
    ...(isSealed ? [sealed(KSN, "80")] : []),
    { tag: tags.merchant, value: merchant },
  ];
  return blob([{ tag: tags.results, value: encodeTlvs(results) }]);
}

/** A collect whose transaction runs on the device. Returns its number. */
export function running(bench: Bench, request: CollectRequest = ALL, given = PROPERTIES): number {
  identified(bench, given);
  const n = bench.command({ do: "collect", request });
  bench.answer();
  bench.look();
  return n;
}

/** A card in the slot that gave its ARQC and waits for its issuer. */
export function held(bench: Bench, technology = "10", type = "05", given = PROPERTIES): Bench {
  running(bench, ALL, given);
  bench.tell("progress", technology === "10" ? "10010200" : technology === "20" ? "20010400" : `${technology}010100`);
  bench.tell("progress", `${technology}080202`, arqc({ type }));
  bench.look();
  return bench;
}
