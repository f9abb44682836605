import type { CallRefused } from "../../client/errors.ts";

/** The reason why the bridge refused a call, and the cashier's next step. */
export interface Refusal {
  readonly title: string;
  readonly text: string;
  readonly todo: string;
  /** The blocking payment, if this till may see it. */
  readonly inTheWay: string | undefined;
  /** The identical request may be sent again. */
  readonly mayRepeat: boolean;
}

interface Words {
  readonly title: string;
  readonly todo: string;
  readonly mayRepeat?: true;
  /** The bridge's own text names devices and errors for technicians; the console shows it. */
  readonly isTechnical?: true;
}

const AGAIN = { mayRepeat: true } as const;

/** Refusals that accept nothing, in a shop's words. Any other may have left a payment. */
const WORDS: Readonly<Record<string, Words>> = {
  forbidden: {
    title: "Not allowed here",
    todo: "This till's token lacks the right for it. A technician makes one that has it.",
  },
  unauthorized: { title: "Not let in", todo: "This till needs a new token. Ask the technician." },
  "unknown-terminal": { title: "No such terminal", todo: "Choose another terminal." },
  "terminal-busy": {
    title: "The terminal is busy",
    todo: "Wait until the other payment has ended, or choose another terminal.",
    ...AGAIN,
  },
  "terminal-offline": {
    title: "The terminal is not connected",
    todo: "Look at its cable and power, or choose another terminal. Nothing was begun.",
    ...AGAIN,
    isTechnical: true,
  },
  "terminal-out-of-service": {
    title: "The terminal is out of service",
    todo: "Choose another terminal and call the technician.",
    isTechnical: true,
  },
  "reference-reused": {
    title: "The reference is taken",
    todo: "Nothing was begun. Enter it anew: it gets a reference of its own.",
  },
  "undecided-payment": {
    title: "Another payment is not decided yet",
    todo: "Look how that one ends first. Do not charge the same twice.",
    ...AGAIN,
  },
  "not-found": {
    title: "No such payment",
    todo: "Check the reference: it stands on the receipt. It has to be one of this till.",
  },
  "not-allowed": { title: "Not possible", todo: "Look at the payment that it is about." },
  "refund-limit": {
    title: "More than this till may give back",
    todo: "Give back less, or ask who may give back more.",
  },
  "invalid-amount": { title: "Not this amount", todo: "Enter another amount." },
  "invalid-params": { title: "Something in it is wrong", todo: "Correct it and send it again." },
  unsupported: { title: "Not possible here", todo: "Choose another way: this terminal or this shop cannot do that." },
  "card-number-in-text": {
    title: "That looks like a card number",
    todo: "Card numbers are never typed here. Leave it out.",
  },
  "gateway-unreached": {
    title: "The gateway could not be asked",
    todo: "Nothing has happened. Try again in a minute.",
    ...AGAIN,
  },
  "data-folder-rolled-back": {
    title: "The bridge has forgotten payments",
    todo: "Its data was put back to an earlier moment. Take no payment, and call the technician.",
  },
  "too-many-requests": {
    title: "Too much at once",
    todo: "Nothing was begun. Wait a moment, then try again.",
    ...AGAIN,
  },
  "shutting-down": { title: "The bridge is stopping", todo: "Nothing was begun. Try again when it is back.", ...AGAIN },
  "journal-unwritable": {
    title: "The bridge's disk is full",
    todo: "Nothing was begun. Try again in a moment; if it lasts, call the technician.",
    ...AGAIN,
  },
};

export function refusalOf(
  { code, message, reference, register }: Pick<CallRefused, "code" | "message" | "reference" | "register">,
  own: string,
): Refusal {
  const {
    title,
    todo,
    mayRepeat = false,
    isTechnical = false,
  } = WORDS[code] ?? { title: "Refused", todo: "Call the technician." };
  return {
    title,
    todo,
    mayRepeat,
    text: isTechnical ? "" : sentence(message),
    inTheWay: register === own ? reference : undefined,
  };
}

/** Known refusals consume nothing. After an unknown one or a broken journal the bridge is queried. */
export function consumesNothing(code: string): boolean {
  return Object.hasOwn(WORDS, code);
}

function sentence(message: string): string {
  const text = message.trim();
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`;
}
