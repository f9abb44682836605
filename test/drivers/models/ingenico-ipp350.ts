import { ACK, cutFrames, encodeFrame } from "../../../drivers/ingenico-ipp350/frame.ts";
import { capabilitiesOf } from "../../../drivers/ingenico-ipp350/members.ts";
import { bytesIn, REPORT_BYTES, reportsOf, TO_HOST } from "../../../drivers/ingenico-ipp350/reports.ts";
import type { PromptCode } from "../../../src/card/notice.ts";
import { ascii } from "../../../src/kit/bytes.ts";
import type { Flip, ModelFacts } from "./facts.ts";

/**
 * What is chosen or asked on its own screen is not told (PROTOCOL.md 5.3), nor is a telephone that wants its holder
 * first.
 */
const UNSEEN: readonly string[] = ["SELECT_APPLICATION", "SEE_PHONE"];

const seen = (usual: readonly PromptCode[]): readonly PromptCode[] =>
  usual.filter((prompt) => !UNSEEN.includes(prompt));

/** Such a device has a chip's PIN typed by itself, and tells of it with the cryptogram (PROTOCOL.md 6.8). */
function seenWithoutPin(usual: readonly PromptCode[]): readonly PromptCode[] {
  const prompts = seen(usual);
  const at = prompts.indexOf("ENTER_PIN");
  const before = prompts[at - 1];
  return before === "PROCESSING" || before === "WRONG_PIN" ? prompts.slice(0, at) : prompts;
}

const NOTHING = new Uint8Array(0);

const isReport = (chunk: Uint8Array): boolean => chunk.length === REPORT_BYTES && chunk[0] === TO_HOST;

/**
 * Changes every body that arrives in one chunk, on any line; longer ones in reports stay as they are. Undefined: the
 * frame is lost.
 */
function onBodies(
  change: (body: string) => string | undefined,
  encode: (body: string) => Uint8Array = encodeFrame,
): Flip["rewrite"] {
  return (chunk) => {
    const stream = isReport(chunk) ? bytesIn(TO_HOST, chunk) : chunk;
    const { items } = cutFrames(false)(NOTHING, stream);
    if (!items.some((item) => item.is === "frame")) return [chunk];
    return items.flatMap((item) => {
      const body = item.is === "frame" ? change(ascii(item.body)) : undefined;
      const bytes = item.is === "ack" ? Uint8Array.of(ACK) : body === undefined ? NOTHING : encode(body);
      return isReport(chunk) ? reportsOf(TO_HOST, bytes) : [bytes];
    });
  };
}

/** With its sum made right: of a whole frame in one chunk. */
function reseal(chunk: Uint8Array): Uint8Array {
  const stream = isReport(chunk) ? bytesIn(TO_HOST, chunk) : chunk;
  if (stream[0] !== 0x02 || stream.at(-2) !== 0x03) return chunk;
  const sealed = stream.with(
    -1,
    stream.subarray(1, -1).reduce((sum, byte) => sum ^ byte, 0),
  );
  const [report = chunk] = isReport(chunk) ? reportsOf(TO_HOST, sealed) : [sealed];
  return report;
}

const unlike =
  (begins: string, become: (body: string) => string | undefined) =>
  (body: string): string | undefined =>
    body.startsWith(begins) ? become(body) : body;

const flips: readonly Flip[] = [
  {
    clause: "I1",
    instead: "begins its sum with STX",
    rewrite: onBodies(
      (body) => body,
      (body) => encodeFrame(body).map((byte, at, all) => (at === all.length - 1 ? byte ^ 0x02 : byte)),
    ),
  },
  { clause: "I2", instead: "says everything twice", rewrite: (chunk) => [chunk, chunk] },
  {
    clause: "I3",
    instead: "ends everything with EOT",
    rewrite: (chunk) => [
      chunk,
      isReport(chunk) ? (reportsOf(TO_HOST, Uint8Array.of(0x04))[0] ?? chunk) : Uint8Array.of(0x04),
    ],
  },
  {
    clause: "I5",
    instead: "parts the fields of 07. otherwise",
    rewrite: onBodies(unlike("07.", (body) => body.replaceAll("\u001c", ","))),
  },
  {
    clause: "I7",
    instead: "counts the characters of a value",
    rewrite: onBodies(unlike("33.", (body) => body.replace(/:0006:h/g, ":000C:h"))),
  },
  {
    clause: "I8",
    instead: "numbers its packets from 1",
    rewrite: onBodies(unlike("33.", (body) => body.replace(/^(33\.[0-9]{2}\.00)00/, "$110"))),
  },
  {
    clause: "I14",
    instead: "sends 33.03 whatever the card decided",
    rewrite: onBodies(unlike("33.05", (body) => body.replace("33.05", "33.03"))),
  },
  { clause: "I16", instead: "answers 13. with another status", rewrite: onBodies(unlike("13.", () => "13.2")) },
  { clause: "I19", instead: "sends no 33.05", rewrite: onBodies(unlike("33.05", () => undefined)) },
  {
    clause: "I21",
    instead: "has its sealed tracks in another tag",
    rewrite: onBodies(unlike("33.03", (body) => body.replace("TFF1F", "TFF2F"))),
  },
  {
    clause: "I22",
    instead: "does not tell its clock",
    rewrite: onBodies(unlike("29.", (body) => `29.5${body.slice(4, 11)}`)),
  },
  {
    clause: "6.9",
    instead: "says D in place of A",
    rewrite: onBodies(unlike("33.05", (body) => body.replace("T1003:0001:aA", "T1003:0001:aD"))),
  },
];

const common = {
  driver: "ingenico-ipp350",
  clock: "host",
  keys: "unknown",
  masked: "bin-and-last4",
  refund: "declined-offline",
  asksBy: "message 33.02",
  frames: 48,
  cardWaitMs: 8,
  prompts: seenWithoutPin,
  // Its tracks come like those of a swipe, without objects (PROTOCOL.md 6.7).
  cvmUntold: ["magstripe-contactless"],
  without: {},
  reseal,
  flips,
} satisfies Partial<ModelFacts>;

export const ingenicoIpp350Facts: ModelFacts = { ...common, simulator: "ingenico-ipp350" };
export const ingenicoLane3000Facts: ModelFacts = {
  ...common,
  simulator: "ingenico-lane3000",
  hidesOfflinePin: { what: "all", clause: "PROTOCOL.md 6.8" },
  prompts: seen,
};
export const ingenicoIuc285Facts: ModelFacts = {
  ...common,
  simulator: "ingenico-iuc285",
  can: capabilitiesOf("iUC285", {}),
};
