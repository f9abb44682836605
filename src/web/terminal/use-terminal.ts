import { useEffect, useReducer, useRef } from "preact/hooks";
import { z } from "zod";
import {
  type DeviceFault,
  deckSchema,
  modelSchema,
  screenSchema,
  type Way,
  wireEntrySchema,
} from "./control-schema.ts";
import { ask } from "./local-calls.ts";
import { customerOrder, FIRST_STATE, nextState, type PageEvent, type PageState } from "./page-state.ts";

export interface Doings {
  take(card: string): void;
  present(card: string, way: Way): void;
  remove(): void;
  press(keys: string): void;
  disturb(fault: DeviceFault): void;
  letCustomerAct(acts: boolean): void;
}

export interface TerminalHere {
  readonly state: PageState;
  readonly doings: Doings;
}

/** The current state of the simulated terminal behind this page. */
export function useTerminal(control: string): TerminalHere {
  const [state, tell] = useReducer(nextState, FIRST_STATE);
  const seen = useRef(state);
  seen.current = state;
  useEffect(() => follow(control, tell), [control]);

  const last = useRef(Promise.resolve());
  const call = (method: string, path: string, body?: object, then?: PageEvent): void => {
    // One call at a time: a browser sends several at once, and the digits of a PIN could overtake each other.
    last.current = last.current
      .then(() => ask(control, [method, path], z.unknown(), body))
      // Failures are shown at the visitor's action; successes show on the terminal.
      .then(
        () => tell(then ?? { on: "done" }),
        (error: unknown) => tell({ on: "refused", why: error instanceof Error ? error.message : String(error) }),
      );
  };
  const letCustomerAct = (acts: boolean): void => call("POST", "customer", customerOrder(seen.current, acts));
  /** A visitor who presents a card or presses a key replaces the simulated customer. */
  const takeOver = (): void => {
    if (seen.current.screen?.customer?.acts !== true) return;
    letCustomerAct(false);
    tell({ on: "took-over" });
  };
  const doings: Doings = {
    take: (card) => {
      tell({ on: "taken", card });
      if (seen.current.screen?.customer) call("POST", "customer", { card });
    },
    present: (name, way) => {
      takeOver();
      call("POST", "card", { name, way }, { on: "presented", card: name });
    },
    remove: () => {
      takeOver();
      call("DELETE", "card");
    },
    press: (keys) => {
      takeOver();
      call("POST", "keys", { keys });
    },
    disturb: (fault) => call("POST", "faults", { do: fault }),
    letCustomerAct,
  };
  return { state, doings };
}

/** Follows the control's event stream while the page is shown. The browser reopens a broken stream by itself. */
function follow(control: string, tell: (event: PageEvent) => void): () => void {
  const source = new EventSource(new URL("events", control));
  const read = (text: unknown): unknown => JSON.parse(String(text));
  const meet = async (): Promise<void> => {
    const [model, deck] = await Promise.all([
      ask(control, ["GET", "model"], modelSchema),
      ask(control, ["GET", "deck"], deckSchema),
    ]);
    tell({ on: "met", model, deck: deck.cards });
  };
  source.addEventListener("open", () => {
    meet().catch(() => tell({ on: "lost" }));
  });
  source.addEventListener("error", () => tell({ on: "lost" }));
  source.addEventListener("screen", ({ data }) => tell({ on: "screen", screen: screenSchema.parse(read(data)) }));
  source.addEventListener("wire", ({ data }) => tell({ on: "wire", entry: wireEntrySchema.parse(read(data)) }));
  return () => source.close();
}
