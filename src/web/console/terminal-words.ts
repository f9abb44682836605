import type { Tone } from "../design/tone.ts";

type State = "ready" | "busy" | "offline" | "out-of-service";

const WORDS: Readonly<Record<State, string>> = { ready: "ready", busy: "busy", offline: "offline", "out-of-service": "out of service" };

export function terminalWords(state: State): string {
  return WORDS[state];
}

export function terminalTone(state: State): Tone | undefined {
  if (state === "ready") return "good";
  return state === "busy" ? undefined : "bad";
}

/** How fast a terminal answered a test, in a word. */
export function answerQuality(ms: number): string {
  if (ms < 500) return "good";
  return ms < 2_000 ? "slow" : "very slow: look at the cable, or at the network between";
}

const CAPABILITIES: Readonly<Record<string, string>> = {
  chip: "chip",
  contactless: "contactless",
  stripe: "magstripe",
  keyed: "key entry",
  "online-pin": "online PIN",
};

export function capabilityText(capabilities: readonly string[]): string {
  return capabilities.map((one) => (Object.hasOwn(CAPABILITIES, one) ? CAPABILITIES[one] : undefined) ?? one.replaceAll("-", " ")).join(", ");
}
