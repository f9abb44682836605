import type { PromptCode } from "../../src/card/notice.ts";
import { encodeAnswer } from "./frame.ts";
import type { Heard } from "./message.ts";

/*
 * A reader without a screen sends its dialogues to the host (PROTOCOL.md 5.1). No customer can answer here, so the
 * driver picks the first choice, "enter", and no PIN.
 */

const DISPLAY = 0x01;
const PIN = 0x02;

const MENU = 0x01;
const FUNCTION_KEY = 0x02;
const MESSAGE = 0x03;
const LANGUAGES = 0x08;
const NO_PIN = 0x00;

const FIRST_LINE = 0x01;
const ENTER = 0x45;

/** The reader's message numbers that are shown to the cashier. */
const prompts: Readonly<Record<number, PromptCode>> = {
  9: "ENTER_PIN",
  14: "INSERT_CHIP",
  19: "SWIPE",
  39: "REMOVE_CARD",
};

export interface DialogueAnswer {
  readonly write?: readonly Uint8Array[];
  readonly prompt?: PromptCode;
}

export function answerDialogue({ sub, data }: Extract<Heard, { is: "dialogue" }>): DialogueAnswer {
  const [mode] = data;
  if (sub === PIN) return { write: [answer(PIN, NO_PIN)] };
  if (sub !== DISPLAY) return {};
  switch (mode) {
    case MENU:
    case LANGUAGES:
      return { write: [answer(DISPLAY, mode, FIRST_LINE)] };
    case FUNCTION_KEY:
      return { write: [answer(DISPLAY, mode, ENTER)], ...promptIn(data) };
    case MESSAGE:
      return promptIn(data);
    default:
      return {};
  }
}

function answer(sub: number, ...data: readonly number[]): Uint8Array {
  return encodeAnswer({ command: 0x61, code: sub, data: Uint8Array.from(data) });
}

const SEPARATOR = 0x1c;
const IS_NUMBER = 0x80;

/** Timeout, language and control follow each other. Each has a length of two bytes in front, low byte first. */
function promptIn(data: Uint8Array): Pick<DialogueAnswer, "prompt"> {
  let at = 1;
  let field = new Uint8Array(0);
  for (let index = 0; index < 3; index += 1) {
    const length = (data[at] ?? 0) | ((data[at + 1] ?? 0) << 8);
    field = data.slice(at + 2, at + 2 + length);
    at += 2 + length;
  }
  const [line, number, separator] = field;
  const isNumbered =
    line !== undefined && (line & IS_NUMBER) !== 0 && (separator === undefined || separator === SEPARATOR);
  const prompt = isNumbered && number !== undefined ? prompts[number] : undefined;
  return prompt === undefined ? {} : { prompt };
}
