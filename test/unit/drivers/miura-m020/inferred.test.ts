import { expect, test } from "vitest";
import { encodePacket, LONGEST_MESSAGE } from "../../../../drivers/miura-m020/frame.ts";
import type { Notice } from "../../../../src/card/notice.ts";
import type { IssuerResponse } from "../../../../src/emv/issuer-response.ts";
import { fromHex } from "../../../../src/kit/hex.ts";
import { SALE } from "../../../support/driver-bench.ts";
import {
  type Bench,
  CARD_IN,
  CARD_UPSIDE_DOWN,
  CLOCK_ANSWER,
  CONFIGURATION_ANSWER,
  cardAnswer,
  createBench,
  E3_TC,
  E4_ARQC,
  E5_AAC,
  held,
  INFO_ANSWER,
  identified,
  KEYS_READY,
  NO_CARD,
  NUMBER_SEALED,
  RESET_ANSWER,
  running,
  tapAnswer,
  tapHeld,
  tapping,
} from "./bench.ts";

/*
 * PROTOCOL.md 9: each inferred line the other way round. It must end in survival or in a clear fault, never in a wrong
 * verdict.
 */

const APPROVED: IssuerResponse = { verdict: "approved", arc: "3030", scripts: [] };
const UNABLE: IssuerResponse = { verdict: "unable-to-go-online", arc: "5A33", scripts: [] };
const SEALED = "DFAE02080102030405060708DFAE03";

const last = (bench: Bench): Notice | undefined => bench.look().notices.at(-1);
const faultOf = (notice: Notice | undefined): string =>
  notice?.on === "fault" ? notice.code : `no fault but ${notice?.on}`;

function firstAnswer(body: string): Notice | undefined {
  const bench = createBench();
  running(bench);
  bench.answer(body, "9000", E5_AAC);
  return last(bench);
}

function finalAnswer(issuer: IssuerResponse, body: string): Notice | undefined {
  const bench = held(createBench());
  bench.command({ do: "complete", issuer });
  bench.answer(body);
  if (body.startsWith("9F")) bench.answer(RESET_ANSWER);
  return last(bench);
}

function tapped(answer: string): Notice | undefined {
  const bench = createBench();
  tapping(bench);
  bench.answer(answer);
  return last(bench);
}

/** The fault after an answer to ONLINE PIN. */
function pinAnswered(statusWord: string): string {
  const bench = createBench();
  tapping(bench);
  bench.answer(tapAnswer("E4", "80", "420300"), statusWord, RESET_ANSWER);
  return faultOf(last(bench));
}

const flips: Readonly<Record<string, () => void>> = {
  I1: () => {
    const bench = identified(createBench());
    bench.command({ do: "display", lines: ["x"] });
    bench.feed({ on: "bytes", bytes: Uint8Array.of(0x80, 0x78, 0x00, 0xf8) });
    expect(bench.look()).toMatchObject({ reopen: true, notices: [{ on: "fault", code: "protocol" }] });
  },
  I2: () => {
    const bench = createBench();
    running(bench);
    bench.answer("00".repeat(LONGEST_MESSAGE + 2));
    expect(faultOf(last(bench))).toBe("protocol");
  },
  I3: () => {
    const bench = createBench();
    running(bench);
    const body = fromHex(E4_ARQC);
    for (let at = 0; at < body.length; at += 7) {
      const apdu = body.subarray(at, at + 7);
      const isLast = at + 7 >= body.length;
      bench.feed({ on: "bytes", bytes: encodePacket({ nad: 1, unsolicited: false, chained: !isLast, piece: apdu }) });
    }
    expect(last(bench)).toMatchObject({ on: "card" });
  },
  I4: () => {
    const notice = firstAnswer(E4_ARQC.replace("DFAE0408", "DFAF0408"));
    expect(notice).toMatchObject({ on: "card" });
    expect(notice?.on === "card" && notice.card.pin).toBeUndefined();
  },
  I5: () =>
    expect(firstAnswer(cardAnswer("E4", "80", "0289", `${SEALED}0AFFFF0102628D1100005E`))).toMatchObject({
      on: "card",
    }),
  I6: () =>
    expect(faultOf(firstAnswer(cardAnswer("E4", "80", "0289", `${SEALED}08FFFF0102628D1100`)))).toBe("keys-missing"),
  I7: () => {
    const bench = held(createBench());
    bench.command({ do: "complete", issuer: APPROVED });
    bench.event("E60BC3010CC4065265626F6F749000");
    bench.answer(E3_TC);
    expect(bench.look()).toMatchObject({ reopen: true, notices: [{ on: "fault", code: "device-error" }] });
  },
  I8: () => {
    const bench = createBench();
    running(bench);
    bench.event("E60AC30102C405456E7465729000", "E609C30102C404466572749000");
    expect(bench.timers()).toHaveProperty("pin", SALE.pinMs);
    bench.answer(E4_ARQC);
    expect(last(bench)).toMatchObject({ on: "card" });
  },
  I9: () => {
    const bench = createBench();
    running(bench);
    bench.event("E606C30102C501019000", "E606C30102C501039000", "E606C30102C501009000");
    bench.answer(E4_ARQC);
    expect(last(bench)).toMatchObject({ on: "card" });
  },
  I10: () => {
    const bench = createBench();
    bench.feed({ on: "opened" });
    bench.command({ do: "identify" });
    bench.answer(RESET_ANSWER, KEYS_READY, CLOCK_ANSWER.replace("E10B", "E00B"));
    bench.fire("answer");
    bench.answer("9A032601159F21031430009000", CONFIGURATION_ANSWER, INFO_ANSWER);
    expect(last(bench)).toMatchObject({ on: "ready", identity: { clock: { date: "260115" } } });
  },
  I11: () => {
    const bench = identified(createBench());
    bench.command({ do: "collect", request: SALE });
    bench.event(CARD_UPSIDE_DOWN, NO_CARD, CARD_IN);
    bench.answer("9000", E4_ARQC);
    expect(last(bench)).toMatchObject({ on: "card" });
  },
  I12: () => {
    const bench = createBench();
    running(bench);
    bench.answer("9F30");
    bench.fire("answer");
    bench.event(NO_CARD);
    expect(bench.look().notices).toMatchObject([{ on: "no-card", why: "chip-unreadable" }, { on: "slot" }]);
  },
  I13: () => expect(faultOf(finalAnswer(UNABLE, "9F21"))).toBe("device-error"),
  I14: () => expect(faultOf(finalAnswer(APPROVED, "9F30"))).toBe("device-error"),
  I15: () => {
    const bench = held(createBench());
    bench.command({ do: "cancel" });
    bench.answer("9000");
    bench.fire("answer");
    expect(last(bench)).toMatchObject({ on: "cancelled" });
    bench.answer(E5_AAC);
    bench.command({ do: "collect", request: SALE });
    bench.event(CARD_IN);
    bench.answer(E4_ARQC);
    expect(last(bench)).toMatchObject({ on: "card" });
  },
  I16: () => expect(faultOf(finalAnswer(APPROVED, "9F22"))).toBe("device-error"),
  I17: () => {
    const bench = identified(createBench());
    bench.command({ do: "collect", request: SALE });
    bench.event(NO_CARD);
    bench.answer("9000");
    bench.fire("answer");
    bench.event(CARD_IN);
    bench.fire("answer");
    bench.answer(E4_ARQC);
    expect(last(bench)).toMatchObject({ on: "card" });
  },
  I18: () => {
    const withoutAnswer = createBench();
    tapping(withoutAnswer);
    withoutAnswer.event(CARD_IN);
    withoutAnswer.fire("answer");
    withoutAnswer.answer("9000", "9F41");
    expect(faultOf(last(withoutAnswer))).toBe("device-error");
    const withoutEvent = createBench();
    tapping(withoutEvent);
    withoutEvent.answer("9F43");
    withoutEvent.fire("answer");
    expect(withoutEvent.look().sent).toMatchObject([expect.stringMatching(/^start-contactless/)]);
  },
  I19: () =>
    expect(tapped(tapAnswer("E4", "80", "1F0302").replace("DF30020201", "DF30020200"))).toMatchObject({
      card: { interface: "contactless-magstripe" },
    }),
  I20: () => expect(tapped(tapAnswer("E4", "80", "1F0302", "DF280102"))).toMatchObject({ on: "card" }),
  I21: () => expect(pinAnswered("9F0F")).toBe("device-error"),
  I22: () => {
    const bench = createBench();
    tapping(bench);
    bench.answer(tapAnswer("E4", "80", "420300"), "9F41", "9000", E5_AAC);
    expect(last(bench)).toMatchObject({ on: "cancelled", by: "customer" });
  },
  I23: () => expect(pinAnswered("9F26")).toBe("device-error"),
  I24: () => {
    const bench = tapHeld(createBench());
    bench.command({ do: "complete", issuer: APPROVED });
    bench.answer("9F22", RESET_ANSWER);
    expect(faultOf(last(bench))).toBe("device-error");
  },
  I25: () => {
    const bench = identified(createBench());
    bench.command({ do: "collect", request: { ...SALE, interfaces: ["keyed"] } });
    bench.answer("9000", "9F14", RESET_ANSWER);
    expect(faultOf(last(bench))).toBe("device-error");
  },
  I26: () => {
    const bench = identified(createBench());
    bench.command({ do: "collect", request: { ...SALE, interfaces: ["keyed"] } });
    bench.answer("9000", "9000", "9000", NUMBER_SEALED.replace("DFA208", "DFA209"));
    expect(last(bench)).toMatchObject({ on: "card", card: { interface: "keyed", masked: { last4: "" } } });
  },
  I27: () => {
    const bench = identified(createBench());
    bench.command({ do: "collect", request: { ...SALE, transactionType: "20" } });
    bench.event(CARD_IN);
    bench.answer(E4_ARQC, "9000", E5_AAC);
    const notice = last(bench);
    expect(notice).toMatchObject({ on: "card" });
    expect(notice?.on === "card" && notice.card.pin).toBeUndefined();
  },
  I28: () => {
    const bench = createBench();
    tapping(bench);
    for (let left = 3; left > 0; left -= 1) bench.answer("9F42");
    expect(bench.look()).toMatchObject({
      sent: Array(3).fill(expect.stringMatching(/^start-contactless/)),
      notices: [],
    });
    bench.answer("9F42");
    expect(last(bench)).toMatchObject({ on: "no-card", why: "timeout" });
  },
  I29: () => {
    const bench = createBench();
    tapping(bench);
    bench.event("E610C301C0C4095365652070686F6E65219000", "E605C301C0C4009000");
    bench.answer("9F42", tapAnswer("E4", "80", "1F0302"));
    expect(bench.look().notices).toMatchObject([{ prompt: "SEE_PHONE" }, { on: "card" }]);
  },
  I30: () => {
    const bench = createBench();
    tapping(bench);
    bench.answer("9FCF");
    bench.event(CARD_IN);
    bench.answer("9000", E4_ARQC);
    expect(last(bench)).toMatchObject({ on: "card", card: { interface: "chip" } });
  },
};

test.each(Object.entries(flips))("%s the other way round is survived or faulted", (_number, flip) => flip());
