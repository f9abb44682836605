import { describe, expect, test } from "vitest";
import type { Notice } from "../../../../src/card/notice.ts";
import { ALL, SALE } from "../../../support/driver-bench.ts";
import {
  authorizing,
  type Bench,
  createBench,
  emv,
  held,
  identified,
  KSN,
  ONLINE_PIN_RULE,
  PIN,
  TRACKS,
  waiting,
} from "./bench.ts";

const pinIn = (notices: readonly Notice[]): readonly (string | undefined)[] => {
  const last = notices.at(-1);
  const pin = last?.on === "card" ? last.card.pin : last?.on === "pin" ? last.pin : undefined;
  return [pin?.data.reveal(), pin?.ksn];
};

/** A chip whose PIN is asked for by 31. */
const typing = (bench: Bench): number => {
  const n = authorizing(bench);
  bench.tell(emv("03", "80", "", ONLINE_PIN_RULE));
  return n;
};

describe("a PIN within a transaction", () => {
  test.each([
    ["bytes", `T99:0012:h${PIN}${KSN}|`],
    ["text", `T99:0024:a${PIN}${KSN}|`],
  ])("comes with the cryptogram as %s where the device asked for it", (_form, object) => {
    const bench = createBench();
    const n = authorizing(bench);
    bench.tell(emv("03", "80", "", `${ONLINE_PIN_RULE}${object}`));
    const { sent, notices } = bench.look();
    expect([sent, notices.map((notice) => [notice.n, notice.on])]).toEqual([[], [[n, "card"]]]);
    expect(pinIn(notices)).toEqual([PIN, KSN]);
  });

  test("is asked for by the host where the card's rules want one and none came", () => {
    const bench = createBench("tcp", { pinKey: "3", pinPrompt: "12", pinForm: "p.K3Z" });
    const n = typing(bench);
    expect(bench.look()).toEqual({
      sent: ["31.D312||p.K3Z"],
      notices: [{ n, on: "prompt", prompt: "ENTER_PIN" }],
      reopen: false,
    });
    expect(bench.timers()).toMatchObject({ pin: 45_000 });
    bench.tell(`31.0${PIN}${KSN}`);
    const { notices } = bench.look();
    expect(notices.map((notice) => (notice.on === "prompt" ? notice.prompt : notice.on))).toEqual([
      "PROCESSING",
      "card",
    ]);
    expect(pinIn(notices)).toEqual([PIN, KSN]);
  });

  test.each([
    ["a tap that says so", (bench: Bench) => bench.tell("23.0E", emv("03", "80", "", "D101B:0001:a1|"))],
    ["a tap by the card's rules", (bench: Bench) => bench.tell("23.0E", emv("03", "80", "", ONLINE_PIN_RULE))],
    ["a swipe by its service code", (bench: Bench) => bench.tell(`23.0M${TRACKS.replaceAll("3112101", "3112120")}`)],
  ])("is asked for after %s", (_what, present) => {
    const bench = createBench();
    const n = waiting(bench, ALL);
    present(bench);
    expect(bench.look()).toMatchObject({ sent: ["31.D*1||pin.K3Z"], notices: [{ n, prompt: "ENTER_PIN" }] });
    bench.tell(`31.0${PIN}${KSN}`);
    expect(pinIn(bench.look().notices)).toEqual([PIN, KSN]);
  });

  test("is asked for by the device's own flag where there is no rule", () => {
    const bench = createBench();
    authorizing(bench);
    bench.tell(emv("03", "80", "", "D1001:0001:a1|"));
    expect(bench.look().sent).toEqual(["31.D*1||pin.K3Z"]);
  });

  test.each([
    ["31.1", { on: "cancelled", by: "customer" }],
    ["31.6", { on: "fault", code: "device-error" }],
    ["31.7", { on: "fault", code: "keys-missing" }],
    [`31.0${PIN}`, { on: "fault", code: "misconfigured" }],
    ["31.0", { on: "fault", code: "protocol" }],
    ["31.", { on: "fault", code: "device-error" }],
  ])("%s ends the collect", (body, ending) => {
    const bench = createBench();
    const n = typing(bench);
    bench.tell(body);
    expect(bench.look().sent).toContain("00.0000");
    bench.tell("00.0000");
    expect(bench.look().notices).toMatchObject([{ n, ...ending }]);
  });

  test("that nobody types ends by its own clock, and a card that is pulled ends it too", () => {
    const late = createBench();
    const n = typing(late);
    late.look();
    late.fire("pin");
    late.tell("31.a", "00.0000");
    expect(late.look().notices).toEqual([{ n, on: "no-card", why: "pin-timeout" }]);
    const pulled = createBench();
    const m = typing(pulled);
    pulled.look();
    pulled.tell("09.020201R", "31.a", "00.0000");
    expect(pulled.look().notices).toEqual([
      { n: 0, on: "slot", card: false },
      { n: m, on: "no-card", why: "removed" },
    ]);
  });

  test("is asked for once: nothing repeats 31. by itself", () => {
    const bench = createBench();
    typing(bench);
    bench.look();
    bench.fire("answer");
    bench.tell("31.a");
    expect(bench.look()).toEqual({ sent: [], notices: [], reopen: false });
  });
});

describe("a PIN after a tap", () => {
  const tapped = (): Bench => {
    const bench = createBench();
    waiting(bench, ALL);
    bench.tell("23.0E", emv("03", "80"));
    bench.look();
    return bench;
  };

  test("is for the card that was read last", () => {
    const bench = tapped();
    const n = bench.command({ do: "ask-pin", request: SALE });
    expect(bench.look()).toEqual({
      sent: ["31.D*1||pin.K3Z"],
      notices: [{ n, on: "prompt", prompt: "ENTER_PIN" }],
      reopen: false,
    });
    bench.tell(`31.0${PIN}${KSN}`);
    const { notices } = bench.look();
    expect(notices).toMatchObject([
      { n, prompt: "PROCESSING" },
      { n, on: "pin" },
    ]);
    expect(pinIn(notices)).toEqual([PIN, KSN]);
    bench.command({ do: "complete", issuer: { verdict: "approved", arc: "3030", scripts: [] } });
    expect(bench.look().sent).toEqual(["33.04.0000|T8A:0002:a00|"]);
  });

  test.each([
    ["pin", "pin-timeout"],
    ["watchdog", "pin-timeout"],
  ])("that nobody types (%s) leaves a card that can be told its answer, though nobody waits for it", (timer, why) => {
    const bench = tapped();
    const n = bench.command({ do: "ask-pin", request: SALE });
    bench.look();
    bench.fire(timer);
    bench.tell("31.a", "00.0000");
    expect(bench.look()).toMatchObject({ sent: ["00.0000"], notices: [{ n, on: "no-card", why }] });
    const m = bench.command({ do: "complete", issuer: { verdict: "declined", arc: "3635", scripts: [] } });
    bench.tell("11.00");
    expect(bench.look()).toMatchObject({ sent: ["11."], notices: [{ n: m, on: "finished", verdict: "read" }] });
  });

  test.each([
    ["31.1", { on: "cancelled", by: "customer" }, []],
    ["31.9", { on: "fault", code: "device-error" }, ["00.0000"]],
    ["10.", { on: "cancelled", by: "customer" }, ["00.0000"]],
  ])("%s ends it, and what may still go on is stopped", (body, ending, sent) => {
    const bench = tapped();
    const n = bench.command({ do: "ask-pin", request: SALE });
    bench.look();
    bench.tell(body, "00.0000");
    expect(bench.look()).toMatchObject({ sent, notices: [{ n, ...ending }] });
  });

  test("is refused for a chip in the slot, for nothing, and at a member without keys for it", () => {
    for (const bench of [held(createBench()), identified(createBench())]) {
      const n = bench.command({ do: "ask-pin", request: SALE });
      expect(bench.look()).toMatchObject({ sent: [], notices: [{ n, on: "fault", code: "refused" }] });
    }
    const bench = tapped();
    const n = bench.command({ do: "ask-pin", request: { ...SALE, amount: 0.5 } });
    expect(bench.look()).toMatchObject({ sent: [], notices: [{ n, code: "refused" }] });
  });
});
