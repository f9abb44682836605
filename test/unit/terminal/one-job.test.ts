import { describe, expect, test } from "vitest";
import type { Notice } from "../../../src/card/notice.ts";
import type { LinkEvent, Turn } from "../../../src/terminal/driver.ts";
import { type JobStep, lostStep, oneJobDriver, refusal } from "../../../src/terminal/one-job.ts";

/*
 * A device as simple as can be: it takes one byte for a command and answers with it; 00 means that it has started anew,
 * FF that the stream is spoiled. Its packer puts
 * a length before each frame over USB.
 */

type Job = { readonly is: "none" } | { readonly is: "asking"; readonly n: number; readonly byte: number };
interface Device {
  readonly restarts: number;
}
type Step = JobStep<Job, Device>;

const NONE: Job = { is: "none" };
const done = (n: number): Step => ({ job: NONE, notices: [{ n, on: "done" }], timers: { answer: "clear" } });

const toy = oneJobDriver<Job, Device, number, number>({
  none: NONE,
  unknown: { restarts: 0 },
  timers: ["answer"],
  settleMs: (transport) => (transport === "serial" ? 30 : 0),
  codec: () => 0,
  read: (codec, bytes) =>
    bytes.includes(0xff)
      ? { codec, heard: [...bytes].filter((byte) => byte !== 0xff), error: "FF" }
      : { codec: codec + 1, heard: [...bytes] },
  pack: (transport, frame) => [transport === "usb" ? Uint8Array.of(frame.length, ...frame) : frame],
  learn: (device, heard) =>
    heard === 0x00
      ? { device: { restarts: device.restarts + 1 }, notices: [{ n: 0, on: "slot", card: false }] }
      : { device },
  start: ({ n, command }) => {
    if (command.do !== "display") return { job: NONE, notices: [refusal(n, "not here")] };
    return { job: { is: "asking", n, byte: 0x41 }, write: [Uint8Array.of(0x41)], timers: { answer: 100 } };
  },
  advance: (job, input) => {
    if (job.is === "none") return { job };
    if (input.on === "timer") return lostStep<Job>(NONE, [job.n], "no-answer", "no answer");
    return input.heard === job.byte ? done(job.n) : { job };
  },
  interrupt: (_job, { n, command }) =>
    command.do === "cancel" ? { job: NONE, notices: [{ n, on: "cancelled", by: "register" }] } : "later",
  numbers: (job) => (job.is === "none" ? [] : [job.n]),
});

type State = ReturnType<typeof toy.begin>["state"];

function bench(transport: "serial" | "usb" = "usb") {
  let state: State = toy.begin({ transport, options: {}, now: { date: "260115", time: "101500" }, seed: 0 }).state;
  const feed = (event: LinkEvent): Omit<Turn<State>, "state"> => {
    const { state: next, ...deed } = toy.turn(state, event);
    state = next;
    return deed;
  };
  let issued = 0;
  return {
    feed,
    state: () => state,
    bytes: (...bytes: readonly number[]) => feed({ on: "bytes", bytes: Uint8Array.from(bytes) }),
    display: () => {
      issued += 1;
      return feed({ on: "command", n: issued, command: { do: "display", lines: [] } });
    },
  };
}

const faults = (notices: readonly Notice[] | undefined): readonly string[] =>
  (notices ?? []).map((notice) => `${notice.n} ${notice.on === "fault" ? notice.code : notice.on}`);

describe("the link", () => {
  test("a command on a closed one ends at once, and nothing that arrives counts", () => {
    const at = bench();
    expect(faults(at.display().notices)).toEqual(["1 no-answer"]);
    expect(at.bytes(0x41)).toEqual({});
    expect(at.feed({ on: "timer", name: "answer" })).toEqual({});
  });

  test("what arrives in the first moment of a serial one is thrown away, and commands wait for its end", () => {
    const at = bench("serial");
    expect(at.feed({ on: "opened" }).timers).toMatchObject({ settle: 30, answer: "clear" });
    expect(at.display().write).toEqual([]);
    expect(at.bytes(0xff, 0x41)).toEqual({});
    expect(at.feed({ on: "timer", name: "settle" })).toMatchObject({ write: [Uint8Array.of(0x41)] });
    expect(at.feed({ on: "timer", name: "settle" })).toEqual({});
  });

  test("closing it ends everything that runs or waits, and forgets the device", () => {
    const at = bench();
    at.feed({ on: "opened" });
    at.display();
    at.display();
    at.bytes(0x00);
    expect(at.state().device).toEqual({ restarts: 1 });
    const { notices, timers } = at.feed({ on: "closed" });
    expect(faults(notices)).toEqual(["1 no-answer", "2 no-answer"]);
    expect(timers).toEqual({ settle: "clear", answer: "clear" });
    expect(at.state()).toMatchObject({ link: "down", job: NONE, queue: [], device: { restarts: 0 }, codec: 0 });
  });

  test("a spoiled stream ends what runs, is opened anew, and what was heard before it still counts", () => {
    const at = bench();
    at.feed({ on: "opened" });
    at.display();
    at.display();
    const { notices, link, frameErrors } = at.bytes(0x41, 0xff);
    expect(frameErrors).toEqual(["corrupted"]);
    expect(faults(notices)).toEqual(["1 done", "2 protocol"]);
    expect(link).toBe("reopen");
    const quiet = bench();
    quiet.feed({ on: "opened" });
    expect(faults(quiet.bytes(0xff).notices)).toEqual(["0 protocol"]);
  });
});

describe("commands", () => {
  test("run one after the other, packed as the transport wants", () => {
    const at = bench();
    at.feed({ on: "opened" });
    expect(at.display()).toMatchObject({ write: [Uint8Array.of(1, 0x41)], timers: { answer: 100 } });
    expect(at.display().write).toEqual([]);
    expect(at.bytes(0x42).notices).toEqual([]);
    const { notices, write } = at.bytes(0x41);
    expect([faults(notices), write]).toEqual([["1 done"], [Uint8Array.of(1, 0x41)]]);
  });

  test("more than four that wait are refused", () => {
    const at = bench();
    at.feed({ on: "opened" });
    for (let waiting = 0; waiting < 5; waiting += 1) at.display();
    expect(faults(at.display().notices)).toEqual(["6 refused"]);
  });

  test("one that may break in does, and the next one follows", () => {
    const at = bench();
    at.feed({ on: "opened" });
    at.display();
    expect(faults(at.feed({ on: "command", n: 2, command: { do: "cancel" } }).notices)).toEqual(["2 cancelled"]);
    expect(at.state().job).toEqual(NONE);
  });

  test("a job that is lost ends what waits behind it too, and asks for a fresh link", () => {
    const at = bench();
    at.feed({ on: "opened" });
    at.display();
    at.display();
    const { notices, link } = at.feed({ on: "timer", name: "answer" });
    expect([faults(notices), link]).toEqual([["1 no-answer", "2 no-answer"], "reopen"]);
    expect(at.feed({ on: "timer", name: "unheard-of" })).toEqual({});
  });

  test("what is heard counts for the device first, then for the job", () => {
    const at = bench();
    at.feed({ on: "opened" });
    expect(at.bytes(0x00).notices).toEqual([{ n: 0, on: "slot", card: false }]);
    expect(at.state().device).toEqual({ restarts: 1 });
  });
});
