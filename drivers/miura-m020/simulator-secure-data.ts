import { findTag, type Tlv } from "../../src/emv/tlv.ts";
import { ascii, fromAscii } from "../../src/kit/bytes.ts";
import type { Apdu } from "./apdu.ts";
import { encodeTemplate, tags } from "./message.ts";
import { type Chip, failed, forget, maskedNumber, over, refuse, sealed } from "./simulator-chip.ts";
import { commandObjects, secondsIn } from "./simulator-request.ts";
import { startTyping } from "./simulator-typing.ts";

interface Element {
  readonly title: string;
  readonly wish: "number" | "expiry";
  /** Under which it goes into the cipher. */
  readonly tag: string;
  readonly least: number;
  readonly most: number;
  /** As much of it as may be shown to the host. */
  readonly redacted: (typed: string) => string;
}

/** DFA210: the elements that can be typed here. */
const ELEMENTS: Readonly<Record<number, Element>> = {
  1: { title: "Card number", wish: "number", tag: "DFA211", least: 12, most: 19, redacted: maskedNumber },
  5: { title: "Expiry MMYY", wish: "expiry", tag: "DFA215", least: 4, most: 4, redacted: () => "****" },
};

const USUAL_SECONDS = 60;

/** GET SECURE DATA (PROTOCOL.md 7.13): 00 clears what was typed, 01 has one element typed, 02 gives all of it encrypted. */
export function secureData(chip: Chip, { p1, data }: Apdu): void {
  if (chip.state.at !== "idle") refuse(chip, "9F26");
  else if (p1 === 0x00) {
    chip.store = [];
    chip.output.finish(new Uint8Array(0));
  } else if (p1 === 0x01) typeElement(chip, data);
  else encrypt(chip);
}

function typeElement(chip: Chip, data: Uint8Array): void {
  const objects = commandObjects(data);
  const [number = 0] = (objects.ok && findTag(objects.value, tags.secureElement)) || [];
  const element = ELEMENTS[number];
  if (element === undefined) {
    refuse(chip, "9F14");
    return;
  }
  const { title, tag, least, most, redacted, wish } = element;
  const { panel } = chip.on;
  startTyping(
    chip,
    {
      least,
      most,
      show: (typed) => panel.show([title, typed]),
      entered: (typed) => {
        chip.store = [...chip.store.filter((object) => object.tag !== tag), { tag, value: fromAscii(typed) }];
        over(chip, encodeTemplate("E1", [{ tag: tags.typed, value: fromAscii(redacted(typed)) }]));
      },
      left: (how) => failed(chip, how === "timeout" ? "9F42" : "9F41"),
      ofSlot: false,
    },
    (secondsIn(data) ?? USUAL_SECONDS) * 1000,
  );
  panel.wishFor(wish);
}

function encrypt(chip: Chip): void {
  const sred = chip.store.length === 0 ? undefined : sealed(chip, chip.store);
  const number = findTag(chip.store, ELEMENTS[1]?.tag ?? "");
  const typed: readonly Tlv[] = number === undefined ? [] : [{ tag: tags.typed, value: fromAscii(maskedNumber(ascii(number))) }];
  forget(chip);
  chip.store = [];
  if (sred === undefined) refuse(chip, "9FE2");
  else chip.output.finish(encodeTemplate("E1", [...typed, ...sred]));
}
