import { deck } from "../../packages/sandbox/testbed/deck.ts";
import type { CollectRequest, Command } from "../../src/card/command.ts";
import type { IssuerResponse } from "../../src/emv/issuer-response.ts";
import type { SeededRandom } from "../../src/kit/seeded-random.ts";
import { live, untruth, type Wire } from "../drivers/life.ts";
import { isWhole } from "../drivers/models/facts.ts";
import type { Pair } from "../drivers/models.ts";
import { SALE } from "../drivers/shop.ts";

/** One life of one driver with a spoiled line. */
export interface Round {
  readonly seed: number;
  readonly title: string;
  readonly chunks: number;
  readonly spoiled: number;
  readonly problem: string | undefined;
}

/**
 * Half of the rounds spoil what a good line's checksums would notice; the others make the checksums right again, so
 * that a driver believes what it reads. Such a device
 * may lie about its card, and nobody could tell: there, only what a driver owes its session is asked for.
 */
export async function round(pair: Pair, seed: number, random: SeededRandom): Promise<Round> {
  const card = pick(random, deck).name;
  const commands: readonly Command[] = [
    { do: "identify" },
    { do: "idle" },
    ...Array.from({ length: 1 + random.below(5) }, () => drawCommand(random)),
  ];
  const believed = random.below(2) === 0 ? pair.facts.reseal : undefined;
  const line = spoiling(random, isWhole(pair.transport), believed && ((chunk) => believed(chunk, pair.transport)));
  const told = { seed, title: `${pair.title} with ${card}: ${commands.map((command) => command.do).join(", ")}` };
  try {
    const life = await live(pair, card, commands, line.wire);
    return {
      ...told,
      chunks: life.chunks,
      spoiled: line.spoiled(),
      problem: believed === undefined ? untruth(life) : undefined,
    };
  } catch (error) {
    return {
      ...told,
      chunks: 0,
      spoiled: line.spoiled(),
      problem: error instanceof Error ? (error.stack ?? error.message) : String(error),
    };
  }
}

function pick<T>(random: SeededRandom, from: readonly T[]): T {
  const one = from[random.below(from.length)];
  if (one === undefined) throw new RangeError("nothing to pick from");
  return one;
}

const ANSWERS: readonly IssuerResponse[] = [
  { verdict: "approved", arc: "3030", scripts: [] },
  {
    verdict: "approved",
    arc: "3030",
    authentication: "1122334455667788",
    scripts: [{ tag: "72", value: "9F180400000001" }],
  },
  { verdict: "declined", arc: "3035", scripts: [] },
  { verdict: "unable-to-go-online", arc: "5A33", scripts: [] },
];

function drawCommand(random: SeededRandom): Command {
  const request: CollectRequest = {
    ...SALE.request,
    interfaces: pick(random, [
      ["chip"],
      ["chip", "contactless", "stripe"],
      ["contactless"],
      ["stripe"],
      ["keyed"],
    ] as const),
    ...(random.below(5) === 0 && { transactionType: "20" as const }),
    ...(random.below(4) === 0 && {
      again: pick(random, ["chip-unreadable", "fallback", "wrong-pin", "use-chip"] as const),
    }),
  };
  switch (
    pick(random, [
      "collect",
      "collect",
      "collect",
      "complete",
      "complete",
      "cancel",
      "idle",
      "identify",
      "ask-pin",
      "display",
      "set-clock",
    ] as const)
  ) {
    case "collect":
      return { do: "collect", request };
    case "complete":
      return { do: "complete", issuer: pick(random, ANSWERS) };
    case "cancel":
      return { do: "cancel" };
    case "idle":
      return { do: "idle" };
    case "identify":
      return { do: "identify" };
    case "ask-pin":
      return { do: "ask-pin", request };
    case "display":
      return { do: "display", lines: ["APPROVED"], meaning: "approved" };
    case "set-clock":
      return { do: "set-clock", now: SALE.request.now };
  }
}

/**
 * Chunks that were seen are sent again at other moments: what a driver knows in another state is more dangerous than
 * noise.
 */
const REMEMBERED = 64;

type Reseal = (chunk: Uint8Array) => Uint8Array;

function spoiling(
  random: SeededRandom,
  whole: boolean,
  reseal: Reseal | undefined,
): { readonly wire: Wire; readonly spoiled: () => number } {
  const oneIn = pick(random, [2, 4, 8, 16, 64]);
  const seen: Uint8Array[] = [];
  let count = 0;
  const wire: Wire = (chunk) => {
    if (seen.length < REMEMBERED) seen.push(chunk.slice());
    if (random.below(oneIn) !== 0) return [chunk];
    count += 1;
    const spoiled = spoil(random, chunk, seen, whole);
    return reseal === undefined ? spoiled : spoiled.map((one) => (one.length < 4 ? one : reseal(one)));
  };
  return { wire, spoiled: () => count };
}

const HARMS = [
  "lose",
  "repeat",
  "flip",
  "flip",
  "set",
  "truncate",
  "insert",
  "cut",
  "replay",
  "splice",
  "noise",
  "instead",
] as const;

function spoil(
  random: SeededRandom,
  chunk: Uint8Array,
  seen: readonly Uint8Array[],
  whole: boolean,
): readonly Uint8Array[] {
  const at = random.below(Math.max(1, chunk.length));
  const sized = (bytes: Uint8Array): Uint8Array => (whole ? fitted(bytes, chunk.length) : bytes);
  switch (pick(random, HARMS)) {
    case "lose":
      return [];
    case "repeat":
      return [chunk, chunk];
    case "flip":
      return [chunk.with(at, (chunk[at] ?? 0) ^ (1 << random.below(8)))];
    case "set":
      return [chunk.with(at, pick(random, [0x00, 0x01, 0x7f, 0x80, 0xff]))];
    case "truncate":
      return [sized(chunk.subarray(0, at))];
    case "insert":
      return [sized(joined(chunk.subarray(0, at), random.bytes(1 + random.below(6)), chunk.subarray(at)))];
    case "cut":
      return whole ? [chunk] : [chunk.subarray(0, at), chunk.subarray(at)];
    case "replay":
      return [chunk, sized(pick(random, seen))];
    case "splice":
      return [sized(joined(chunk.subarray(0, at), pick(random, seen).subarray(at)))];
    case "noise":
      return [sized(random.bytes(1 + random.below(80))), chunk];
    case "instead":
      return [sized(pick(random, seen))];
  }
}

function joined(...parts: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}

function fitted(bytes: Uint8Array, size: number): Uint8Array {
  const whole = new Uint8Array(size);
  whole.set(bytes.subarray(0, size));
  return whole;
}
