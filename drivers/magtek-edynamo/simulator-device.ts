import type { HostAnswer } from "../../packages/sandbox/testbed/contact-kernel.ts";
import { parseDynaPro, tags } from "../../src/card/dynapro-data.ts";
import { findTag, parseTlv } from "../../src/emv/tlv.ts";
import { ascii, concat, fromAscii } from "../../src/kit/bytes.ts";
import { fromHex, toHex } from "../../src/kit/hex.ts";
import { createCardSession } from "../../src/simulator/card-session.ts";
import { clockDigits, clockMs } from "../../src/simulator/request-text.ts";
import type { SessionRequest, Ways } from "../../src/simulator/session-contract.ts";
import type { Device, DeviceOn } from "../../src/simulator/terminal-body.ts";
import { newCodec, overOf, read } from "./codec.ts";
import { clockData, clockIn } from "./identity.ts";
import type { Member } from "./members.ts";
import { DONE, extended, packetIn, plain } from "./message.ts";
import { REPORT_BYTES } from "./reports.ts";
import { sealWithTracks, v5Layout } from "./simulator-card-data.ts";
import { newV5, next, type Request, reply, replyPending, replyResult, type V5 } from "./simulator-core.ts";
import { askForCard, cancelled, cardSays, resumed } from "./simulator-transaction.ts";
import { results } from "./status-codes.ts";

/** Packets that a host may have queued; further ones are lost, as in a full buffer. */
const LONGEST_QUEUE = 16;
const PARAMETER = 0x02;
const NOT_THERE = 0x0d;

/** The device's side of the protocol. It answers one packet after the other. */
export function v5Device(on: DeviceOn, member: Member): Device {
  const session = createCardSession({
    ...on,
    sred: v5Layout,
    hostChooses: true,
    seal: (data) => sealWithTracks(on.secure, data),
    says: (outcome) => cardSays(device, outcome),
  });
  const device = newV5({ on, member, session, run: (request) => run(device, request) });
  return {
    reportBytes: REPORT_BYTES,
    receive: (bytes) => receive(device, bytes),
    connected: (line) => {
      toIdle(device);
      device.over = overOf(line);
      device.codec = newCodec(device.over, "host");
    },
    disconnected: () => toIdle(device),
    powerOn: () => toIdle(device),
  };
}

/**
 * Ends all work after a lost link or a power cycle. A real device continues after a lost link, until the host's first
 * command.
 */
function toIdle(device: V5): void {
  device.age += 1;
  device.codec = newCodec(device.over, "host");
  device.queue = [];
  device.isBusy = false;
  device.packets = undefined;
  device.transaction = undefined;
  device.session.reset();
}

function receive(device: V5, bytes: Uint8Array): void {
  const { codec, heard, error } = read(device.codec, bytes);
  // The reaction of a real device to a broken stream is unknown; the simulator discards its input and continues.
  device.codec = error === undefined ? codec : newCodec(device.over, "host");
  for (const { is, ...command } of heard.filter((one) => one.is === "command"))
    if (device.queue.length < LONGEST_QUEUE) device.queue.push(command);
  next(device);
}

/** Factory properties (PROTOCOL.md 4.1). */
function propertiesOf({ on }: V5): ReadonlyMap<number, Uint8Array> {
  return new Map([
    [0x00, fromAscii("1000003358A12")],
    [0x01, fromAscii(on.serialNumber)],
    [0x03, fromAscii(on.serialNumber)],
    [0x07, fromAscii("06040N")],
    [0x67, Uint8Array.of(0x01)],
    [0x68, Uint8Array.of(0x01)],
  ]);
}

/** The published KSN, with its counter at the first key (X9.24, annex A). */
const KSN = fromHex("FFFF9876543210E00001");
const LEVEL = 0x03;

function run(device: V5, { code, data }: Request): void {
  switch (code) {
    case plain["get-property"]: {
      const value = propertiesOf(device).get(data[0] ?? 0xff);
      reply(device, value === undefined ? PARAMETER : DONE, value);
      break;
    }
    case plain["get-ksn"]:
      reply(device, DONE, KSN);
      break;
    case plain["get-level"]:
      reply(device, DONE, Uint8Array.of(LEVEL));
      break;
    case plain["set-output"]:
      reply(device, DONE);
      break;
    case plain.extended:
      gatherPackets(device, data);
      break;
    default:
      reply(device, NOT_THERE);
  }
}

/** Joins the packets of an extended command and runs it with the last one (PROTOCOL.md 3.3). */
function gatherPackets(device: V5, data: Uint8Array): void {
  const packet = packetIn(data);
  if (packet === undefined) {
    reply(device, PARAMETER);
    return;
  }
  const before =
    packet.offset === 0 ? new Uint8Array(0) : device.packets?.id === packet.id ? device.packets.soFar : undefined;
  device.packets = undefined;
  if (before?.length !== packet.offset) {
    reply(device, PARAMETER);
    return;
  }
  const soFar = concat(before, packet.part);
  if (soFar.length < packet.total) {
    device.packets = { id: packet.id, soFar };
    replyPending(device);
  } else carryOut(device, packet.id, soFar);
}

function carryOut(device: V5, id: string, data: Uint8Array): void {
  switch (id) {
    case extended.start:
      start(device, data);
      break;
    case extended.selection:
      replyResult(device, data[0] === 0 && device.session.choose(data[1] ?? 0) ? results.done : results.noTransaction);
      break;
    case extended.acquirer:
      acquirer(device, data);
      break;
    case extended.cancel:
      cancel(device);
      break;
    case extended["set-clock"]:
      setClock(device, data);
      break;
    case extended["read-clock"]:
      replyResult(
        device,
        results.done,
        clockData(clockDigits(device.on.clock.now() + device.clockOffsetMs)).slice(-CLOCK_BYTES),
      );
      break;
    default:
      reply(device, NOT_THERE);
  }
}

const CLOCK_BYTES = 7;

function setClock(device: V5, data: Uint8Array): void {
  const wanted = clockIn(data.slice(-CLOCK_BYTES));
  const ms = wanted && clockMs(wanted.date, wanted.time);
  if (ms !== undefined) device.clockOffsetMs = ms - device.on.clock.now();
  replyResult(device, ms === undefined ? results.clockNotSet : results.done);
}

const AMOUNT = "0387";
const OPTIONS = "0386";

function start(device: V5, data: Uint8Array): void {
  const { session, member, on } = device;
  const [seconds = 0, cards = 0, options = 0] = data;
  const ways: Ways = { magstripe: (cards & 0x01) !== 0, chip: (cards & 0x02) !== 0, tap: (cards & 0x04) !== 0 };
  const { interfaces } = member;
  const isAble =
    (!ways.magstripe || interfaces.includes("stripe")) &&
    (!ways.chip || interfaces.includes("chip")) &&
    (!ways.tap || interfaces.includes("contactless"));
  const request = requestIn(data, on.clock.now() + device.clockOffsetMs);
  if (device.transaction !== undefined || session.at() !== "idle") replyResult(device, results.inProgress);
  else if (cards === 0 || !isAble) replyResult(device, results.cardType);
  else if (options !== 0) replyResult(device, OPTIONS);
  else if (request === undefined) replyResult(device, AMOUNT);
  else {
    replyResult(device, results.done);
    device.transaction = { request };
    askForCard(device);
    session.begin(request, ways, seconds * 1000);
  }
}

const START_BYTES = 19;
const REFUND = "20";

/** Undefined if the request is invalid. The simulated members require amount zero for a refund (PROTOCOL.md 7.10). */
function requestIn(data: Uint8Array, now: number): SessionRequest | undefined {
  if (data.length !== START_BYTES) return undefined;
  const [amount, type, currency] = [
    toHex(data.subarray(3, 9)),
    toHex(data.subarray(9, 10)),
    toHex(data.subarray(16, 18)),
  ];
  if (!/^[0-9]{12}$/.test(amount) || (type === REFUND && Number(amount) !== 0)) return undefined;
  return { ...clockDigits(now), amount, currency, type };
}

/** A card being read cannot be cancelled (PROTOCOL.md 7.8). */
function cancel(device: V5): void {
  const at = device.session.at();
  if (device.transaction === undefined) replyResult(device, results.noTransaction);
  else if (at === "busy" || at === "completing") replyResult(device, results.inProgress);
  else {
    replyResult(device, results.done);
    cancelled(device);
  }
}

function acquirer(device: V5, data: Uint8Array): void {
  const host = hostAnswer(data, device.on.serialNumber);
  if (device.transaction === undefined) replyResult(device, results.noTransaction);
  else if (host === undefined) replyResult(device, SERIAL_NUMBER);
  else if (device.transaction.waiting === undefined) replyResult(device, results.inProgress);
  else {
    replyResult(device, results.done);
    resumed(device, host);
  }
}

const SERIAL_NUMBER = "0391";
/** The device's own tags begin with FF, so only zeros are filler. */
const FILLER: readonly number[] = [0x00];

/** The issuer's answer; undefined if it is invalid or for another device. */
function hostAnswer(data: Uint8Array, serialNumber: string): HostAnswer | undefined {
  const blob = parseDynaPro(data);
  if (typeof blob === "string" || blob.of !== "arqc" || ascii(blob.serialNumber) !== serialNumber) return undefined;
  const responseCode = findTag(blob.leaves, "8A");
  if (responseCode?.length !== 2) return undefined;
  const authentication = findTag(blob.leaves, "91");
  return { responseCode, ...(authentication && { authentication }), scripts: scriptsIn(data) };
}

/** Scripts are constructed objects inside object 70. */
function scriptsIn(data: Uint8Array): readonly Uint8Array[] {
  const inside = (bytes: Uint8Array, tag: string): Uint8Array => {
    const parsed = parseTlv(bytes, FILLER);
    return (parsed.ok ? findTag(parsed.objects, tag) : undefined) ?? new Uint8Array(0);
  };
  const length = ((data[0] ?? 0) << 8) | (data[1] ?? 0);
  const answer = parseTlv(
    inside(inside(inside(data.subarray(2, 2 + length), tags.whole), tags.generic), tags.arqc),
    FILLER,
  );
  return answer.ok ? answer.objects.flatMap(({ tag, value }) => (tag === "71" || tag === "72" ? [value] : [])) : [];
}
