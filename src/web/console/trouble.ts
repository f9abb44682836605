import { CallRefused, ConnectionLost, ProtocolBroken } from "../../client/errors.ts";

/** The reason for a failed call, for technicians. */
export interface Trouble {
  /** `too-old`: this bridge lacks the call. `no-scope`: this token may not make it. `cut`: no answer came. */
  readonly kind: "too-old" | "no-scope" | "cut" | "refused" | "broken";
  readonly text: string;
  /** The form's field it refers to. */
  readonly path?: string;
  readonly code?: string;
}

export function troubleOf(error: unknown): Trouble {
  if (error instanceof CallRefused) return refused(error);
  if (error instanceof ConnectionLost) {
    return {
      kind: "cut",
      text: "The connection was cut before the answer came. What was asked for may have been done: look again before you repeat it.",
    };
  }
  if (error instanceof ProtocolBroken) {
    return {
      kind: "broken",
      text: `The bridge answered something that this page does not understand. Reload the page. (${error.message})`,
    };
  }
  return {
    kind: "broken",
    text: `This page failed: ${error instanceof Error ? error.message : String(error)}. Reload the page.`,
  };
}

function refused({ code, message, path }: CallRefused): Trouble {
  const more = { code, ...(path !== undefined && { path }) };
  switch (code) {
    case "unknown-method":
      return { kind: "too-old", text: "This bridge is too old for this: update the bridge.", ...more };
    case "forbidden":
      return { kind: "no-scope", text: sentence(message), ...more };
    case "too-many-requests":
      return {
        kind: "refused",
        text: "The bridge had too many calls from this page at once. Try again in a moment.",
        ...more,
      };
    default:
      return { kind: "refused", text: sentence(message), ...more };
  }
}

/** The bridge's texts start in lower case without a full stop; here they are sentences. */
export function sentence(text: string): string {
  const whole = stopped(text);
  return `${whole.charAt(0).toUpperCase()}${whole.slice(1)}`;
}

/** Adds a full stop unless the text ends with a mark. */
export function stopped(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}
