import type { Capabilities } from "../card/capabilities.ts";

/** Appearance of a model, for pages that draw it. */
export interface Look {
  /** `hand`: handheld; `counter`: on a counter; `low`: a flat reader; `panel`: built into a machine. */
  readonly form: "hand" | "counter" | "low" | "panel";
  readonly colour: "graphite" | "white" | "silver" | "blue";
  /** Position of the magstripe reader, if there is one. */
  readonly stripeAt: "right" | "top";
}

export interface Shape extends Look {
  readonly display: boolean;
  readonly keys: boolean;
  readonly slot: boolean;
  readonly stripe: boolean;
  readonly contactless: boolean;
}

/** Default appearance: models with keys stand on a counter, readers without keys are flat. */
function usualLook(keys: boolean): Look {
  return { form: keys ? "counter" : "low", colour: "graphite", stripeAt: keys ? "right" : "top" };
}

export function shapeOf({ capabilities, look }: { readonly capabilities: Capabilities; readonly look?: Look }): Shape {
  const { interfaces, onlinePin, display } = capabilities;
  // A chip reader with its own display is a PIN pad, even if its host does not use the keys.
  const keys = onlinePin || interfaces.includes("keyed") || (display && interfaces.includes("chip"));
  return {
    ...(look ?? usualLook(keys)),
    // PIN entry needs a display, even if the host cannot write to it.
    display: display || onlinePin,
    keys,
    slot: interfaces.includes("chip"),
    stripe: interfaces.includes("stripe"),
    contactless: interfaces.includes("contactless"),
  };
}
