import type { Command } from "../card/command.ts";
import type { FaultCode, Notice, PromptCode } from "../card/notice.ts";
import { type Offer, promptNotice } from "../card/offer.ts";
import type { DriverSpec, LinkEvent, TransportKind, Turn } from "./driver.ts";
import { followedBy, NO_TIMERS, type Timers, timersOver } from "./merge-turns.ts";

/*
 * The common part of drivers for devices that do one thing at a time: the link's life, the queue of commands, and
 * merging a job's steps into the turn. Each model defines its jobs and their reactions.
 */

interface Job {
  readonly is: string;
}

/** A command with its number. */
export interface Numbered {
  readonly n: number;
  readonly command: Command;
}

/** A job's answer to one input; missing members stay unchanged. */
export interface JobStep<J, D> {
  readonly job: J;
  readonly device?: D;
  /** Whole frames, before the transport packs them. */
  readonly write?: readonly Uint8Array[];
  readonly timers?: Timers;
  readonly notices?: readonly Notice[];
  readonly link?: "reopen";
}

export type JobInput<H> = { readonly on: "heard"; readonly heard: H } | { readonly on: "timer"; readonly name: string };

/**
 * A model's own part. `J`: its jobs; `D`: facts about the device while the link holds; `H`: received messages; `C`: the
 * codec's state.
 */
export interface OneJob<J extends Job, D, H, C> {
  readonly none: J;
  readonly unknown: D;
  /** Every timer a job may set, except `settle`, which belongs to this file. */
  readonly timers: readonly string[];
  /** Time after opening during which input is discarded, in milliseconds; 0: none. */
  readonly settleMs: (transport: TransportKind) => number;
  readonly codec: (transport: TransportKind) => C;
  /** Cuts the input. `error`: the stream cannot be trusted any more, and the link is opened again. */
  readonly read: (
    codec: C,
    bytes: Uint8Array,
  ) => { readonly codec: C; readonly heard: readonly H[]; readonly error?: string };
  /** Packs one frame for the transport. */
  readonly pack: (transport: TransportKind, frame: Uint8Array) => readonly Uint8Array[];
  /** Updates the facts about the device, whatever the job; then the job gets the message. */
  readonly learn: (device: D, heard: H) => { readonly device: D; readonly notices?: readonly Notice[] };
  readonly start: (numbered: Numbered, device: D) => JobStep<J, D>;
  readonly advance: (job: J, input: JobInput<H>, device: D) => JobStep<J, D>;
  /** Handles a command during a job; "later" puts it into the queue. */
  readonly interrupt: (job: J, numbered: Numbered, device: D) => JobStep<J, D> | "later";
  /** Numbers of the commands that a job will end. */
  readonly numbers: (job: J) => readonly number[];
}

export interface OneJobState<J, D, C> {
  readonly transport: TransportKind;
  /** `settling`: open, but input is still discarded. */
  readonly link: "down" | "settling" | "up";
  readonly codec: C;
  readonly device: D;
  readonly job: J;
  /** Commands that wait for the job to end. */
  readonly queue: readonly Numbered[];
}

/** No session has more commands waiting; the next one is refused. */
export const LONGEST_QUEUE = 4;

/** The notice that ends a command which cannot be done. */
export function refusal(n: number, detail: string): Notice {
  return { n, on: "fault", code: "refused", detail };
}

/** The register cancelled it. */
export function cancelled(n: number): Notice {
  return { n, on: "cancelled", by: "register" };
}

/** The refusal of a cancel that comes too late. */
export function completing(n: number): Notice {
  return refusal(n, "the card already has its issuer's answer");
}

/**
 * The device or stream cannot be trusted any more: every named command ends with the fault, and a new link is
 * requested.
 */
export function lostStep<J>(none: J, numbers: readonly number[], code: FaultCode, detail: string): JobStep<J, never> {
  return { job: none, notices: numbers.map((n): Notice => ({ n, on: "fault", code, detail })), link: "reopen" };
}

/** The device's facts without the card of an ended payment. */
export function forgetting<D extends { readonly held?: unknown }>({ held: _forgotten, ...rest }: D): Omit<D, "held"> {
  return rest;
}

/** The part of a collect that prompts the cashier. */
interface Prompting {
  readonly n: number;
  readonly offer: Pick<Offer, "magstripe">;
  readonly prompt?: PromptCode;
}

type Prompted<J> = JobStep<J, never> & { readonly job: J };

/** Sends a prompt, unless it is already the current one. */
export function promptStep<J extends Prompting>(job: J, prompt: PromptCode): Prompted<J> {
  return job.prompt === prompt ? { job } : promptAnew(job, prompt);
}

/** Sends a prompt even if it is already the current one. */
export function promptAnew<J extends Prompting>(job: J, prompt: PromptCode): Prompted<J> {
  return { job: { ...job, prompt }, notices: [promptNotice(job.n, prompt, job.offer)] };
}

/** The turn's result so far. */
interface Here<J, D, C> {
  readonly state: OneJobState<J, D, C>;
  readonly write: readonly Uint8Array[];
  readonly timers: Timers;
  readonly notices: readonly Notice[];
  readonly link?: "reopen";
}

/** `begin` and `turn` of a driver spec. */
export function oneJobDriver<J extends Job, D, H, C>(
  on: OneJob<J, D, H, C>,
): Pick<DriverSpec<OneJobState<J, D, C>>, "begin" | "turn"> {
  const cleared: Timers = Object.fromEntries(["settle", ...on.timers].map((name) => [name, "clear" as const]));
  const all = { ...on, cleared };
  return {
    begin: ({ transport }) => ({ state: fresh(on, transport, "down") }),
    turn: (state, event) => turn(all, state, event),
  };
}

/** Adds the timers of a new link. */
type All<J extends Job, D, H, C> = OneJob<J, D, H, C> & { readonly cleared: Timers };

const NOTHING: readonly never[] = [];

const still = <J, D, C>(state: OneJobState<J, D, C>): Here<J, D, C> => ({
  state,
  write: NOTHING,
  timers: NO_TIMERS,
  notices: NOTHING,
});

function turn<J extends Job, D, H, C>(
  on: All<J, D, H, C>,
  state: OneJobState<J, D, C>,
  event: LinkEvent,
): Turn<OneJobState<J, D, C>> {
  switch (event.on) {
    case "opened":
      return opened(on, state);
    case "closed":
      return down(on, state, "the link was closed");
    case "bytes":
      return state.link === "up" ? received(on, state, event.bytes) : { state };
    case "timer":
      return ticked(on, state, event.name);
    case "command":
      return commanded(on, state, event);
  }
}

function fresh<J extends Job, D, H, C>(
  on: OneJob<J, D, H, C>,
  transport: TransportKind,
  link: OneJobState<J, D, C>["link"],
): OneJobState<J, D, C> {
  return { transport, link, codec: on.codec(transport), device: on.unknown, job: on.none, queue: [] };
}

/** Ends every unfinished command. */
function down<J extends Job, D, H, C>(on: All<J, D, H, C>, state: OneJobState<J, D, C>, detail: string): Here<J, D, C> {
  const numbers = [...on.numbers(state.job), ...state.queue.map(({ n }) => n)];
  const notices = numbers.map((n): Notice => ({ n, on: "fault", code: "no-answer", detail }));
  return { state: fresh(on, state.transport, "down"), write: NOTHING, timers: on.cleared, notices };
}

function opened<J extends Job, D, H, C>(on: All<J, D, H, C>, state: OneJobState<J, D, C>): Here<J, D, C> {
  const over = down(on, state, "the link was opened anew");
  const settleMs = on.settleMs(state.transport);
  if (settleMs === 0) return { ...over, state: fresh(on, state.transport, "up") };
  return { ...over, state: fresh(on, state.transport, "settling"), timers: { ...on.cleared, settle: settleMs } };
}

function ticked<J extends Job, D, H, C>(
  on: All<J, D, H, C>,
  state: OneJobState<J, D, C>,
  name: string,
): Turn<OneJobState<J, D, C>> {
  if (state.link === "down") return { state };
  if (name === "settle") return state.link === "settling" ? next(on, still({ ...state, link: "up" })) : { state };
  return on.timers.includes(name)
    ? apply(on, still(state), on.advance(state.job, { on: "timer", name }, state.device))
    : { state };
}

function commanded<J extends Job, D, H, C>(
  on: All<J, D, H, C>,
  state: OneJobState<J, D, C>,
  { n, command }: Numbered,
): Here<J, D, C> {
  if (state.link === "down")
    return { ...still(state), notices: [{ n, on: "fault", code: "no-answer", detail: "the link is not open" }] };
  const step = state.job.is === on.none.is ? "later" : on.interrupt(state.job, { n, command }, state.device);
  if (step !== "later") return apply(on, still(state), step);
  if (state.queue.length >= LONGEST_QUEUE)
    return { ...still(state), notices: [refusal(n, `${LONGEST_QUEUE} commands are waiting already`)] };
  return next(on, still({ ...state, queue: [...state.queue, { n, command }] }));
}

function received<J extends Job, D, H, C>(
  on: All<J, D, H, C>,
  state: OneJobState<J, D, C>,
  bytes: Uint8Array,
): Turn<OneJobState<J, D, C>> {
  const { codec, heard: all, error } = on.read(state.codec, bytes);
  let read = still(codec === state.codec ? state : { ...state, codec });
  for (const what of all) read = heard(on, read, what);
  if (error === undefined || read.state.link !== "up") return read;
  const numbers = on.numbers(read.state.job);
  return {
    ...apply(
      on,
      read,
      lostStep(on.none, numbers.length === 0 ? [0] : numbers, "protocol", `the stream is broken: ${error}`),
    ),
    frameErrors: ["corrupted"],
  };
}

function heard<J extends Job, D, H, C>(on: All<J, D, H, C>, before: Here<J, D, C>, what: H): Here<J, D, C> {
  const { state } = before;
  if (state.link !== "up") return before;
  const { device, notices } = on.learn(state.device, what);
  const learnt: Here<J, D, C> = {
    state: device === state.device ? state : { ...state, device },
    write: before.write,
    timers: before.timers,
    notices: followedBy(before.notices, notices),
  };
  return apply(on, learnt, on.advance(state.job, { on: "heard", heard: what }, device));
}

/** Merges a step into the turn so far, and starts the next command. */
function apply<J extends Job, D, H, C>(on: All<J, D, H, C>, before: Here<J, D, C>, step: JobStep<J, D>): Here<J, D, C> {
  const { transport, link, codec, device, queue } = before.state;
  const state = { transport, link, codec, device: step.device ?? device, job: step.job, queue };
  const write =
    step.write === undefined
      ? before.write
      : followedBy(
          before.write,
          step.write.flatMap((frame) => on.pack(transport, frame)),
        );
  const notices = followedBy(before.notices, step.notices);
  if (step.link === undefined)
    return next(on, { state, write, timers: timersOver(before.timers, step.timers), notices });
  const over = down(on, state, "the link is being opened anew");
  return { ...over, write, notices: followedBy(notices, over.notices), link: step.link };
}

/** Starts the oldest queued command if no job is running. */
function next<J extends Job, D, H, C>(on: All<J, D, H, C>, before: Here<J, D, C>): Here<J, D, C> {
  const { state } = before;
  if (state.queue.length === 0 || state.job.is !== on.none.is || state.link !== "up") return before;
  const [first, ...queue] = state.queue;
  if (first === undefined) return before;
  return apply(on, { ...before, state: { ...state, queue } }, on.start(first, state.device));
}
