import { newCodec, type Over, pack, read } from "../../../drivers/magtek-dynaflex/codec.ts";
import { capabilitiesOf, plain, prox } from "../../../drivers/magtek-dynaflex/members.ts";
import { commands, encodeMessage, type Message, notifications } from "../../../drivers/magtek-dynaflex/message.ts";
import { REPORT_BYTES } from "../../../drivers/magtek-dynaflex/reports.ts";
import type { PromptCode } from "../../../src/card/notice.ts";
import type { Flip, ModelFacts } from "./facts.ts";

type Said = Exclude<Message, { readonly is: "request" | "other" }>;

const SLIP_END = 0xc0;

function overIn(chunk: Uint8Array): Over {
  if (chunk[0] === SLIP_END) return "slip";
  return chunk.length === REPORT_BYTES && chunk[0] !== 0xaa ? "reports" : "messages";
}

/** Changes every message that arrives in one chunk, over any line; longer ones in reports stay as they are. */
function onMessages(change: (message: Said) => Said | undefined): Flip["rewrite"] {
  return (chunk) => {
    const over = overIn(chunk);
    const [message] = read(newCodec(over, "device"), chunk).heard;
    if (message === undefined || (message.is !== "response" && message.is !== "notification")) return [chunk];
    const changed = change(message);
    return changed === undefined ? [] : pack(over, "device", encodeMessage(changed));
  };
}

const isResponse = (message: Said, name: keyof typeof commands): message is Extract<Said, { is: "response" }> =>
  message.is === "response" && message.command === commands[name];
const isTold = (message: Said, name: keyof typeof notifications): message is Extract<Said, { is: "notification" }> =>
  message.is === "notification" && message.id === notifications[name];

const refused = (message: Said, name: keyof typeof commands, detail: string): Said =>
  isResponse(message, name) ? { ...message, summary: 0x80, detail, payload: new Uint8Array(0) } : message;

const flips: readonly Flip[] = [
  {
    clause: "I9",
    instead: "never answers START",
    rewrite: onMessages((message) => (isResponse(message, "start") ? undefined : message)),
  },
  {
    clause: "I10",
    instead: "keeps its batch data",
    rewrite: onMessages((message) =>
      isTold(message, "progress") && message.code.endsWith("080302") ? undefined : message,
    ),
  },
  {
    clause: "I11",
    instead: "does not take the answer",
    rewrite: onMessages((message) => refused(message, "resume", "020102")),
  },
  {
    clause: "I14",
    instead: "tells no outcome",
    rewrite: onMessages((message) => (isTold(message, "outcome") ? undefined : message)),
  },
  {
    clause: "I14",
    instead: "tells the outcome of another technology",
    rewrite: onMessages((message) =>
      isTold(message, "outcome") ? { ...message, code: `08${message.code.slice(2)}` } : message,
    ),
  },
  {
    clause: "I15",
    instead: "does not wait after a card",
    rewrite: onMessages((message) => refused(message, "resume", "020304")),
  },
  {
    clause: "I16",
    instead: "never answers a cancel",
    rewrite: onMessages((message) => (isResponse(message, "cancel") ? undefined : message)),
  },
];

/**
 * What its own screen asks for is not told (PROTOCOL.md 5.5): neither a PIN, nor that it is there, nor the choice of an
 * application.
 */
function untilPin(usual: readonly PromptCode[], unseen: readonly PromptCode[]): readonly PromptCode[] {
  const pin = usual.indexOf("ENTER_PIN");
  return usual.slice(0, pin === -1 ? undefined : pin).filter((prompt) => !unseen.includes(prompt));
}

const BLOCKED = "PROTOCOL.md I5: a blocked application shows as one that is not accepted";
const NO_PIN_FOR_A_SWIPE = "PROTOCOL.md 7.7: there is no PIN for a swipe";

const common = {
  driver: "magtek-dynaflex",
  clock: "own",
  keys: "told",
  masked: "bin-and-last4",
  refund: "declined-offline",
  asksBy: "start",
  frames: 48,
  cardWaitMs: 6,
  flips,
} as const;

export const magtekDynaflexFacts: ModelFacts = {
  ...common,
  simulator: "magtek-dynaflex",
  redKeyFromMs: 15,
  without: { "blocked-application": BLOCKED, "magstripe-pin": NO_PIN_FOR_A_SWIPE },
  prompts: (usual) => untilPin(usual, ["SELECT_APPLICATION", "SEE_PHONE"]),
};

export const magtekDynaflexIIFacts: ModelFacts = {
  ...common,
  simulator: "magtek-dynaflex-ii",
  can: capabilitiesOf(plain),
  without: { "blocked-application": BLOCKED },
  prompts: (usual) => untilPin(usual, ["SELECT_APPLICATION"]),
};

export const magtekDynaproxFacts: ModelFacts = {
  ...common,
  simulator: "magtek-dynaprox",
  can: capabilitiesOf(prox),
  without: {},
  // It has no slot.
  prompts: (usual) => untilPin(usual, []).map((prompt) => (prompt === "INSERT_OR_TAP" ? "TAP" : prompt)),
};
