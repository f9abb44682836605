import type { Notice } from "../../src/card/notice.ts";
import { type DriverSpec, driverModel, type LinkEvent, type TransportKind, type Turn } from "../../src/terminal/driver.ts";
import { leakIn } from "./card-answer.ts";
import { advance, interrupt, type Numbered, refusal, start } from "./dispatch.ts";
import { type Device, type Job, lost, numbersOf, type Step, timerNames } from "./flow.ts";
import { type Deframer, type Message, newDeframer, push } from "./frame.ts";
import { type DeviceEvent, parseAnswer, parseEvent, restartText } from "./message.ts";
import { HOST_WAIT_MS, SETTLE_MS } from "./timing.ts";

export interface MiuraState {
  readonly transport: TransportKind;
  /** `settling`: open, but what arrives is still thrown away (PROTOCOL.md 8.1). */
  readonly link: "down" | "settling" | "up";
  readonly deframer: Deframer;
  readonly device: Device;
  readonly job: Job;
  /** Commands that wait for the job to end. */
  readonly queue: readonly Numbered[];
}

type MiuraTurn = Turn<MiuraState>;

const NOTHING = { deframer: newDeframer, device: { extended: false }, job: { is: "none" }, queue: [] } as const;
const TIMERS_CLEAR = { settle: "clear", answer: "clear", card: "clear", pin: "clear", watchdog: "clear" } as const;

/** More commands than a session ever has waiting; the next one is refused. */
export const LONGEST_QUEUE = 4;

function turn(state: MiuraState, event: LinkEvent): MiuraTurn {
  switch (event.on) {
    case "opened":
      return opened(state);
    case "closed":
      return down(state, "the link was closed");
    case "bytes":
      return state.link === "up" ? received(state, event.bytes) : { state };
    case "timer":
      return ticked(state, event.name);
    case "command":
      return commanded(state, event);
  }
}

/** Every command that was not done ends here: the device aborts by itself when the link is lost (PROTOCOL.md 1.4). */
function down(state: MiuraState, detail: string): MiuraTurn {
  const numbers = [...numbersOf(state.job), ...state.queue.map(({ n }) => n)];
  const notices = numbers.map((n): Notice => ({ n, on: "fault", code: "no-answer", detail }));
  return { state: { ...NOTHING, transport: state.transport, link: "down" }, timers: TIMERS_CLEAR, notices };
}

/** A gadget's leftovers are thrown away first; over TCP there are none (PROTOCOL.md 8.1). */
function opened(state: MiuraState): MiuraTurn {
  const fresh = down(state, "the link was opened anew");
  if (state.transport === "tcp") return { ...fresh, state: { ...fresh.state, link: "up" } };
  return { ...fresh, state: { ...fresh.state, link: "settling" }, timers: { ...TIMERS_CLEAR, settle: SETTLE_MS } };
}

function ticked(state: MiuraState, name: string): MiuraTurn {
  const known = timerNames.find((timer) => timer === name);
  if (known === undefined || state.link === "down") return { state };
  if (known === "settle") return state.link === "settling" ? next({ state: { ...state, link: "up" } }) : { state };
  return apply({ state }, advance(state.job, { on: "timer", name: known }, state.device));
}

function commanded(state: MiuraState, numbered: Numbered): MiuraTurn {
  const { n } = numbered;
  if (state.link === "down") return { state, notices: [{ n, on: "fault", code: "no-answer", detail: "the link is not open" }] };
  const step = state.job.is === "none" ? "later" : interrupt(state.job, numbered, state.device);
  if (step !== "later") return apply({ state }, step);
  if (state.queue.length >= LONGEST_QUEUE) return { state, notices: [refusal(n, `${LONGEST_QUEUE} commands are waiting already`)] };
  return next({ state: { ...state, queue: [...state.queue, { n, command: numbered.command }] } });
}

function received(state: MiuraState, bytes: Uint8Array): MiuraTurn {
  const { state: deframer, messages, error } = push(state.deframer, bytes);
  const read = messages.reduce<MiuraTurn>(heard, { state: { ...state, deframer } });
  if (error === undefined || read.state.link !== "up") return read;
  const numbers = numbersOf(read.state.job);
  return apply(read, lost(numbers.length === 0 ? [0] : numbers, "protocol", `the stream is broken: ${error}`));
}

function heard(before: MiuraTurn, { nad, unsolicited, body }: Message): MiuraTurn {
  const { state } = before;
  // NAD 02 is a printer or cash drawer behind the same link; nothing was asked of it (PROTOCOL.md 2.1).
  if (state.link !== "up" || nad !== 1) return before;
  if (unsolicited) return happened(before, parseEvent(body));
  return apply(before, advance(state.job, { on: "answer", answer: parseAnswer(body) }, state.device));
}

/** What an event says of the device counts whatever it is doing; then the job hears of it. */
function happened(before: MiuraTurn, event: DeviceEvent): MiuraTurn {
  const { job, device } = before.state;
  const told: Step = { job, device: deviceAfter(device, event), notices: eventNotices(device, event) };
  const after = apply(before, told);
  return apply(after, advance(after.state.job, { on: "event", event }, after.state.device));
}

function deviceAfter(device: Device, event: DeviceEvent): Device {
  if (event.is === "card") return { ...device, slot: { card: event.slot, chip: event.chip } };
  if (restartText(event) === undefined) return device;
  const { held: _forgotten, ...rest } = device;
  return rest;
}

function eventNotices(device: Device, event: DeviceEvent): readonly Notice[] {
  if (event.is !== "card") return [];
  const leak = device.keys?.sred === true ? leakIn(event.objects) : undefined;
  return [
    ...(device.slot?.card === event.slot ? [] : [{ n: 0, on: "slot", card: event.slot } as const]),
    ...(leak === undefined ? [] : [{ n: 0, on: "fault", code: "clear-card-data", detail: leak } as const]),
  ];
}

/** Lays a step over what the turn did so far, and goes on with what waits. */
function apply(before: MiuraTurn, step: Step): MiuraTurn {
  const state = { ...before.state, job: step.job, device: step.device ?? before.state.device };
  const write = [...(before.write ?? []), ...(step.write ?? [])];
  const notices = [...(before.notices ?? []), ...(step.notices ?? [])];
  const timers = { ...before.timers, ...step.timers };
  if (step.link === undefined) return next({ ...before, state, write, notices, timers });
  const over = down(state, "the link is being opened anew");
  return { ...over, write, notices: [...notices, ...(over.notices ?? [])], link: step.link };
}

/** Begins the command that waited longest, once nothing runs. */
function next(before: MiuraTurn): MiuraTurn {
  const { state } = before;
  const [first, ...queue] = state.queue;
  if (first === undefined || state.job.is !== "none" || state.link !== "up") return before;
  return apply({ ...before, state: { ...state, queue } }, start(first, state.device));
}

export const miuraM020Spec: DriverSpec<MiuraState> = {
  id: "miura-m020",
  title: "Miura M020",
  lines: [
    { kind: "serial", baudRate: 115_200, dataBits: 8, parity: "none", stopBits: 1 },
    { kind: "tcp", defaultPort: 6543 },
  ],
  capabilities: {
    interfaces: ["chip", "contactless", "stripe", "keyed"],
    onlinePin: true,
    pinAfterTap: true,
    display: true,
    rereadVerdict: false,
    sealed: false,
  },
  hostWaitMs: HOST_WAIT_MS,
  begin: ({ transport }) => ({ state: { ...NOTHING, transport, link: "down" } }),
  turn,
};

export const miuraM020 = driverModel(miuraM020Spec);
