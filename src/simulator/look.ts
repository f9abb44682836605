import type { Capabilities } from "../card/capabilities.ts";

/** How a model looks, for those who draw it. */
export interface Look {
  /** `hand`: held in one hand; `counter`: stands on a counter; `low`: a flat reader; `panel`: built into a machine. */
  readonly form: "hand" | "counter" | "low" | "panel";
  readonly colour: "graphite" | "white" | "silver" | "blue";
  /** Where a stripe is drawn through, on models that have a reader for it. */
  readonly stripeAt: "right" | "top";
}

/** The parts of a model that a person sees and touches. */
export interface Shape extends Look {
  readonly display: boolean;
  readonly keys: boolean;
  readonly slot: boolean;
  readonly stripe: boolean;
  readonly contactless: boolean;
}

/** A model that says nothing of its looks: keys make it stand on a counter, and a reader without them is flat. */
function usualLook(keys: boolean): Look {
  return { form: keys ? "counter" : "low", colour: "graphite", stripeAt: keys ? "right" : "top" };
}

export function shapeOf({ capabilities, look }: { readonly capabilities: Capabilities; readonly look?: Look }): Shape {
  const { interfaces, onlinePin, display } = capabilities;
  // A chip reader with a display of its own is a PIN pad, also where its host has no use for its keys.
  const keys = onlinePin || interfaces.includes("keyed") || (display && interfaces.includes("chip"));
  return {
    ...(look ?? usualLook(keys)),
    // Keys for a PIN need a screen that says what is typed, also where the host cannot write to it.
    display: display || onlinePin,
    keys,
    slot: interfaces.includes("chip"),
    stripe: interfaces.includes("stripe"),
    contactless: interfaces.includes("contactless"),
  };
}
