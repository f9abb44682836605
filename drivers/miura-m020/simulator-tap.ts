import { ascii, fromAscii } from "../../src/kit/bytes.ts";
import type { ChipCard } from "../../src/testbed/card.ts";
import { stripeData, tappedStripeData } from "../../src/testbed/card-tracks.ts";
import { type HostAnswer, replaced } from "../../src/testbed/contact-kernel.ts";
import { type Tapped, tap } from "../../src/testbed/contactless-kernel.ts";
import { encodeTemplate, tags } from "./message.ts";
import {
  after,
  answerBody,
  become,
  type Chip,
  CRYPTOGRAM_MS,
  failed,
  forget,
  kernelRequest,
  maskedNumber,
  maskedNumbers,
  over,
  pinCancelled,
  refuse,
  sealed,
} from "./simulator-chip.ts";
import { amountOf, pinRequest, type StartRequest, secondsIn, startRequest } from "./simulator-request.ts";
import { startPin } from "./simulator-typing.ts";

/** MPI-Dynamic.cfg: how long the reader waits where the host says nothing. */
const USUAL_SECONDS = 30;

/** START CONTACTLESS (PROTOCOL.md 7.10). */
export function startContactless(chip: Chip, data: Uint8Array): void {
  const request = startRequest(data);
  if (chip.state.at !== "idle") refuse(chip, "9F26");
  else if (!request.ok) refuse(chip, request.statusWord);
  else if (chip.on.panel.card() !== undefined) refuse(chip, "9F43");
  else waitForTap(chip, request.value, chip.on.clock.monotonic() + (secondsIn(data) ?? USUAL_SECONDS) * 1000, false);
}

/** `isKnown`: this telephone has asked its holder already. */
function waitForTap(chip: Chip, request: StartRequest, endsAt: number, isKnown: boolean): void {
  const { panel, clock } = chip.on;
  become(chip, { at: "tapping", request, endsAt, isKnown });
  after(chip, Math.max(0, endsAt - clock.monotonic()), () => failed(chip, "9F42"));
  panel.show([`Amount ${amountOf(request)}`, isKnown ? "See phone, tap again" : "Present card"]);
  panel.wishFor(undefined);
  panel.wishFor("card");
  cardShown(chip);
}

/** A card is held to the reader, or was drawn through it. Whatever the device does not wait for stays unread. */
export function cardShown(chip: Chip): void {
  const { state, reportsTracks } = chip;
  const shown = chip.on.panel.shown();
  if (shown?.way === "tap" && state.at === "tapping") {
    chip.on.panel.takeShown();
    tapped(chip, shown.card, state);
  } else if (shown?.way === "swipe" && reportsTracks && (state.at === "idle" || state.at === "tapping")) {
    chip.on.panel.takeShown();
    swiped(chip, shown.card);
  }
}

function tapped(chip: Chip, card: ChipCard, { request, endsAt, isKnown }: { request: StartRequest; endsAt: number; isKnown: boolean }): void {
  const { panel } = chip.on;
  if (card.profile.asksFirst && !isKnown) {
    chip.output.status([
      { tag: tags.statusCode, value: Uint8Array.of(0xc0) },
      { tag: tags.statusText, value: fromAscii("See phone") },
    ]);
    waitForTap(chip, request, endsAt, true);
    return;
  }
  panel.wishFor(undefined);
  panel.show(["Please wait"]);
  become(chip, { at: "reading" });
  after(chip, CRYPTOGRAM_MS, () => read(chip, card, request));
}

function read(chip: Chip, card: ChipCard, request: StartRequest): void {
  const { profile } = card;
  const { asked, configuration } = kernelRequest(chip, request);
  const result = tap(card, profile.tap === "stripe" ? 0 : chip.on.memory.nextAtc(profile.name), asked, configuration);
  const sred = sealed(chip, profile.tap === "stripe" ? tappedStripeData(profile) : result.data);
  if (sred === undefined) {
    failed(chip, "9F0D");
    return;
  }
  chip.last = profile;
  const data = replaced(result.data, [...sred, ...maskedNumbers(profile)]);
  switch (result.decision) {
    case "online":
      hold(chip, { ...result, data });
      break;
    case "approved-offline":
      over(chip, answerBody("E3", profile, data));
      break;
    case "declined-offline":
      over(chip, answerBody("E5", profile, data));
      break;
  }
}

function hold(chip: Chip, result: Tapped): void {
  become(chip, { at: "host", held: { via: "tap", tapped: result } });
  chip.output.finish(answerBody("E4", result.chip.profile, result.data));
}

const APPROVING: readonly string[] = ["00", "10", "11"];

/** The reader's last word: the host's answer, and nothing of a card that is gone. */
export function tapCompleted({ responseCode }: HostAnswer): Uint8Array {
  return encodeTemplate(APPROVING.includes(ascii(responseCode)) ? "E3" : "E5", [{ tag: "8A", value: responseCode }]);
}

/** An answer and the event that goes with it come in either order (PROTOCOL.md 7.10). */
const EITHER_ORDER_MS = 8;

/** START CONTACTLESS ends because of what was done to the slot or the stripe reader. */
export function endTap(chip: Chip, statusWord: "9F43" | "9F44"): void {
  if (chip.state.at !== "tapping") return;
  const [coin = 0] = chip.on.random.bytes(1);
  become(chip, { at: "idle" });
  chip.on.panel.wishFor(undefined);
  chip.on.panel.show(["Please wait"]);
  chip.output.finish(new Uint8Array(0), statusWord, coin % 2 === 0 ? 1 : EITHER_ORDER_MS);
}

/** A swipe: both tracks sealed together, track 2 masked as text (PROTOCOL.md 6.1). */
function swiped(chip: Chip, { profile }: ChipCard): void {
  const sred = sealed(chip, stripeData(profile));
  if (sred === undefined) return;
  chip.last = profile;
  const { pan, expiry, serviceCode } = profile;
  const track = `;${maskedNumber(pan)}=${expiry.slice(0, 4)}${serviceCode}**********?`;
  if (chip.state.at === "idle") chip.on.panel.wishFor(undefined);
  chip.output.card([{ tag: tags.cardStatus, value: Uint8Array.of(0x00, 0x07) }, ...sred, { tag: tags.maskedSwipe, value: fromAscii(track) }]);
  endTap(chip, "9F44");
}

/** ONLINE PIN: for the card that was tapped or swiped last, and that the host must name (PROTOCOL.md 7.12). */
export function onlinePin(chip: Chip, data: Uint8Array): void {
  const { state, last } = chip;
  const request = pinRequest(data);
  const behind = state.at === "host" && state.held.via === "tap" ? state.held : undefined;
  if (state.at !== "idle" && behind === undefined) refuse(chip, "9F26");
  else if (!request.ok) refuse(chip, request.statusWord);
  else if (last === undefined || !namesCard(request.value.track, last.pan)) refuse(chip, "9F0F");
  else {
    const back = (): void => (behind === undefined ? forget(chip) : become(chip, { at: "host", held: behind }));
    startPin(chip, {
      amount: amountOf(request.value),
      card: last,
      ofSlot: false,
      ...(behind && { behind }),
      left: (how) => {
        if (how === "aborted") forget(chip);
        else back();
        chip.on.panel.wishFor(undefined);
        chip.output.finish(pinCancelled);
      },
      entered: (block) => {
        back();
        if (block === undefined) refuse(chip, "9FE0");
        else {
          const pin = [
            { tag: tags.pinData, value: block.data },
            { tag: tags.pinKsn, value: block.ksn },
          ];
          chip.output.finish(encodeTemplate("E1", pin));
        }
      },
    });
  }
}

function namesCard(track: string, pan: string): boolean {
  return track.includes(maskedNumber(pan));
}
