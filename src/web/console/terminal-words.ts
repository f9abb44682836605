import type { Tone } from "../design/tone.ts";
import type { Check, KnownTerminal } from "./known-terminal.ts";
import { stopped } from "./trouble.ts";

type State = KnownTerminal["state"];

const WORDS: Readonly<Record<State, string>> = {
  ready: "ready",
  busy: "busy",
  offline: "offline",
  "out-of-service": "out of service",
};

export function terminalWords(state: State): string {
  return WORDS[state];
}

/** "Terminal Bar is offline: is it switched on?" A reason may be a question or several sentences. */
export function stateSentence(name: string, state: State, reason: string | undefined): string {
  return stopped(`${name} is ${WORDS[state]}${reason === undefined ? "" : `: ${reason}`}`);
}

/** Same judgement as the bridge's check of a terminal. */
export function terminalCheck({ id, model, state, reason }: KnownTerminal): Check {
  const name = `terminal ${id}`;
  const text = stateSentence(model ?? "The terminal", state, reason);
  switch (state) {
    case "ready":
    case "busy":
      return { name, state: "ok", text };
    case "offline":
      return { name, state: "fail", text, fix: "See that it is switched on and connected, then test it." };
    case "out-of-service":
      return { name, state: "fail", text, fix: "Do what the text says, then test it." };
  }
}

/** The terminal's current payment, and the number of waiting ones. */
export function paymentWords({
  payment,
  queue,
}: {
  readonly payment?: string | undefined;
  readonly queue: number;
}): string {
  const waiting = queue === 0 ? "" : `${queue} waiting`;
  return [payment ?? (queue === 0 ? "none" : ""), waiting].filter((part) => part !== "").join(", ");
}

export function terminalTone(state: State): Tone | undefined {
  if (state === "ready") return "good";
  return state === "busy" ? undefined : "bad";
}

/** Rating of a terminal's response time. */
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
  return capabilities
    .map((one) => (Object.hasOwn(CAPABILITIES, one) ? CAPABILITIES[one] : undefined) ?? one.replaceAll("-", " "))
    .join(", ");
}
