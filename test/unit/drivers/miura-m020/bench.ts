import { commandName, parseApdu } from "../../../../drivers/miura-m020/apdu.ts";
import { type MiuraState, miuraM020Spec } from "../../../../drivers/miura-m020/driver.ts";
import { encodeMessage, push } from "../../../../drivers/miura-m020/frame.ts";
import { newDeframer } from "../../../../drivers/vipa/frame.ts";
import type { CollectRequest } from "../../../../src/card/command.ts";
import { fromHex, toHex } from "../../../../src/kit/hex.ts";
import type { TransportKind } from "../../../../src/terminal/driver.ts";
import { ALL, createDriverBench, type DriverBench, SALE } from "../../../support/driver-bench.ts";

/**
 * A driver on a bench: events go in by hand, and everything it does is kept. Bodies of the device are written without
 * frame, in hexadecimal.
 */
export interface Bench extends DriverBench<MiuraState> {
  answer(...bodies: readonly string[]): void;
  event(...bodies: readonly string[]): void;
}

export function createBench(transport: TransportKind = "tcp"): Bench {
  const bench = createDriverBench({ spec: miuraM020Spec, transport, inWords: commandsIn });
  const bodies = (unsolicited: boolean, texts: readonly string[]): void => {
    for (const text of texts) {
      for (const bytes of encodeMessage({ nad: 1, unsolicited, body: fromHex(text) }))
        bench.feed({ on: "bytes", bytes });
    }
  };
  return { ...bench, answer: (...texts) => bodies(false, texts), event: (...texts) => bodies(true, texts) };
}

/**
 * The names of the commands in written frames, with their data where they carry any; those with more than one meaning
 * by what they do.
 */
function commandsIn(write: readonly Uint8Array[]): readonly string[] {
  let deframer = newDeframer;
  return write.flatMap((bytes) => {
    const pushed = push(deframer, bytes);
    deframer = pushed.state;
    return pushed.messages.map(({ body }) => {
      const apdu = parseApdu(body);
      const name = (apdu && commandName(apdu)) ?? `unknown ${toHex(body)}`;
      if (name === "keyboard-status") return apdu?.p1 === 0x01 ? "keys-on" : "keys-off";
      if (name === "secure-data")
        return `secure-data ${toHex(Uint8Array.of(apdu?.p1 ?? 0))}${apdu === undefined ? "" : toHex(apdu.data)}`;
      if (name === "card-status" && apdu?.p1 === 0x0d) return "card-status with tracks";
      return apdu === undefined || apdu.data.length === 0 ? name : `${name} ${toHex(apdu.data)}`;
    });
  });
}

export const RESET_ANSWER =
  "E1329F1E083130303030343936EF12DF0D084D3030302D4D5049DF7F04312D3437EF11DF0D074D3030302D4F53DF7F04372D31329000";
export const EXTENDED_RESET_ANSWER =
  "E1439F1E083130303030343936EF12DF0D084D3030302D4D5049DF7F04312D3630EF10DF0D074D3030302D4F53DF7F03382D33ED10DF0D0D457874656E64656420415044559000";
export const KEYS_READY = "E105DFAE0101069000";
export const CLOCK_ANSWER = "E10B9A032601159F21031430009000";
/** E1{ED{ARQCDOL.CFG 1.26}, ED{AACDOL.CFG 1.1}} */
export const CONFIGURATION_ANSWER =
  "E12DED15DF0D0B41525143444F4C2E434647DF7F04312E3236ED14DF0D0A414143444F4C2E434647DF7F04312E31319000";
/** E1{ED{Smartcard}, ED{M020}} */
export const INFO_ANSWER = "E117ED0CDF0D09536D61727463617264ED07DF0D044D3032309000";
export const NO_CARD = "E104480200009000";
export const CARD_UPSIDE_DOWN = "E104480201009000";
export const CARD_IN = "E104480203009000";
export const ENTER_PIN = "E60FC30102C40A456E7465722050494E3A9000";
export const PIN_OK = "E610C30102C40650494E204F4BDFA10201029000";

const SRED_PAIRS =
  "DFAE021885D6E511F8844CEA0DC72883180AC081AF4593A8A3C5FDD8DFAE030AFFFF0102628D1100005E" +
  "DFAE021892FC2C940487F43AC64AB3DFD54C7B72F445FE409D80FDF5DFAE030AFFFF0102628D1100005F";
const PIN_BLOCK = "DFAE04088B68AF72199529B8DFAE050AFFFF0102628D12000001";
const MASKED_TRACK = "DFAE5711476173FFFFFF0119D15122011758989389";

/**
 * An answer of the card to SALE: label, name, expiry, AID, TVR, amount, cryptogram with its information (9F27) and
 * counter (9F36), then `more`.
 */
export function cardAnswer(template: "E3" | "E4" | "E5", information: string, atc: string, more: string): string {
  const body = `500B56495341204352454449545F200241425F24031512318407A0000000031010950500000480009F02060000000012349F260852A596394EDA96D99F2701${information}9F3602${atc}${more}`;
  return answerIn(template, body);
}

/** A template around a body, with its status word. */
export function answerIn(template: string, body: string): string {
  const length = (body.length / 2).toString(16).padStart(4, "0").toUpperCase();
  return `${template}82${length}${body}9000`;
}

/** Asks for the issuer: sealed card data under two key serial numbers, a PIN block, a masked track. */
export const E4_ARQC = cardAnswer("E4", "80", "0289", MASKED_TRACK + SRED_PAIRS + PIN_BLOCK);
export const E3_TC = cardAnswer("E3", "40", "0289", MASKED_TRACK);
export const E5_AAC = cardAnswer("E5", "00", "0289", MASKED_TRACK);

/** A tap: chip mode by DF30, no verification by 9F34; sealed, masked. `results` is 9F34. */
export function tapAnswer(template: "E3" | "E4" | "E5", information: string, results: string, more = ""): string {
  const tvr = results === "420300" ? "0000048000" : "0000008000";
  const card = `500A4D4153544552434152448407A0000000041010`;
  const cryptogram = `9F260811223344556677889F2701${information}9F36020007`;
  return answerIn(
    template,
    `${card}9505${tvr}9F0206000000001234${cryptogram}9F3403${results}DF30020201${MASKED_TRACK}${SRED_PAIRS}${more}`,
  );
}

/** A swipe with both tracks, sealed; `code` is the service code. */
export function swipe(code: string): string {
  const track = toHex(new TextEncoder().encode(`;476173******0119=1512${code}**********?`));
  const length = (track.length / 2).toString(16).padStart(2, "0").toUpperCase();
  return answerIn("E1", `48020007${SRED_PAIRS}DFAE22${length}${track}`);
}

/** 0001: swiped, and nothing could be read. */
export const SWIPE_FAILED = "E104480200019000";
/** E1{DFAE04, DFAE05} */
export const PIN_TYPED = `E11A${PIN_BLOCK}9000`;
/** E1{DFA208 "476173******0119"} */
export const NUMBER_TYPED = `E114DFA20810${toHex(new TextEncoder().encode("476173******0119"))}9000`;
/** The same with the sealed number. */
export const NUMBER_SEALED = answerIn(
  "E1",
  `DFA20810${toHex(new TextEncoder().encode("476173******0119"))}${SRED_PAIRS}`,
);

/** Opens the link and identifies the device; everything that happened is already looked at. */
export function identified(bench: Bench, reset: string = RESET_ANSWER): Bench {
  bench.feed({ on: "opened" });
  if ("settle" in bench.timers()) bench.fire("settle");
  bench.command({ do: "identify" });
  bench.answer(reset, KEYS_READY, CLOCK_ANSWER, CONFIGURATION_ANSWER, INFO_ANSWER);
  bench.look();
  return bench;
}

/** What SALE shows while it waits: the amount and INSERT CARD, or REMOVE CARD, AND TRY AGAIN. */
export const SHOW_INSERT = `display ${toHex(new TextEncoder().encode("\n12.34 EUR\nINSERT CARD"))}`;
export const SHOW_AGAIN = `display ${toHex(new TextEncoder().encode("\n12.34 EUR\nREMOVE CARD\nAND TRY AGAIN"))}`;

/** A collect that waits at an empty slot, its text shown and keys reported. Returns its number. */
export function waiting(bench: Bench): number {
  identified(bench);
  const n = bench.command({ do: "collect", request: SALE });
  bench.event(NO_CARD);
  bench.answer("9000", "9000");
  bench.look();
  return n;
}

/** A collect whose transaction runs on the device: START was sent. Returns its number. */
export function running(bench: Bench): number {
  identified(bench);
  const n = bench.command({ do: "collect", request: SALE });
  bench.event(CARD_IN);
  bench.look();
  return n;
}

/** A collect whose reader waits: START CONTACTLESS was sent. Returns its number. */
export function tapping(bench: Bench, request: CollectRequest = ALL): number {
  identified(bench);
  const n = bench.command({ do: "collect", request });
  bench.event(NO_CARD);
  bench.look();
  return n;
}

/** A tap without verification that was told, and waits for CONTINUE. */
export function tapHeld(bench: Bench): Bench {
  tapping(bench);
  bench.answer(tapAnswer("E4", "80", "1F0302"));
  bench.look();
  return bench;
}

/** A card that gave its ARQC and waits. */
export function held(bench: Bench): Bench {
  running(bench);
  bench.answer(E4_ARQC);
  bench.look();
  return bench;
}
