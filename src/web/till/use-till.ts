import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { z } from "zod";
import type { RegisterClient } from "../../client/client.ts";
import { systemClock } from "../../kit/system-clock.ts";
import { browserStorage } from "../bridge/browser-storage.ts";
import { type PageBridge, useBridge } from "../bridge/use-bridge.ts";
import { useStore } from "../bridge/use-store.ts";
import { openBook } from "./asked-book.ts";
import { createDesk, type Desk } from "./desk.ts";
import type { Settings } from "./pad-state.ts";
import { createSlowWatch } from "./slow-watch.ts";
import { nextTill, type Till, tillAfterReload } from "./till-state.ts";

export type Terminals = Awaited<ReturnType<RegisterClient["terminals"]>>;

export interface OpenTill {
  readonly bridge: PageBridge;
  readonly client: RegisterClient | undefined;
  readonly till: Till;
  readonly desk: Desk;
  readonly terminals: Terminals;
  readonly settings: Settings;
  /** For event handlers: includes every choice made so far. */
  settingsNow(): Settings;
  set(change: Partial<Settings>): void;
  show(name: string): void;
}

export function useTill(): OpenTill {
  const book = useMemo(() => openBook(() => localStorage), []);
  const [till, { now, tell }] = useStore(nextTill, () => tillAfterReload(book.all()));
  const desk = useMemo(
    () =>
      createDesk({
        book,
        clock: systemClock,
        random: { bytes: (count) => crypto.getRandomValues(new Uint8Array(count)) },
        front: () => now().front,
        tell,
      }),
    [book, now, tell],
  );
  const bridge = useBridge("till", ({ payment }) => tell({ is: "changed", payment }));
  const client = bridge.state.is === "open" ? bridge.state.client : undefined;
  useEffect(() => {
    if (client === undefined) desk.disconnected();
    else void desk.connected(client, now().entries);
  }, [client, desk, now]);
  const watch = useMemo(() => createSlowWatch(systemClock, (name) => tell({ is: "slow", name })), [tell]);
  useEffect(() => watch(till.entries), [watch, till.entries]);
  const terminals = useTerminals(client);
  const { settings, settingsNow, set } = useSettings(terminals);
  return {
    bridge,
    client,
    till,
    desk,
    terminals,
    settings,
    settingsNow,
    set,
    show: (name) => tell({ is: "shown", name }),
  };
}

const TERMINALS_MS = 2_000;

/** States of the terminals; no notification reports them, so they are polled. */
function useTerminals(client: RegisterClient | undefined): Terminals {
  const [terminals, setTerminals] = useState<Terminals>([]);
  useEffect(() => {
    let stop = (): void => undefined;
    if (client === undefined) setTerminals([]);
    const ask = (): void => {
      client?.terminals().then(
        (now) => {
          setTerminals(now);
          stop = systemClock.after(TERMINALS_MS, ask);
        },
        // A refusal is temporary; a lost connection brings another client.
        () => {
          stop = systemClock.after(TERMINALS_MS, ask);
        },
      );
    };
    ask();
    return () => stop();
  }, [client]);
  return terminals;
}

const settingsSchema = z.object({
  terminal: z.string(),
  currency: z.string().regex(/^[A-Z]{3}$/),
  cashier: z.string(),
});
const FIRST_SETTINGS: Settings = { terminal: "", currency: "EUR", cashier: "" };

/** Kept in this browser; default: the first terminal. */
function useSettings(terminals: Terminals): Pick<OpenTill, "settings" | "settingsNow" | "set"> {
  const kept = useMemo(() => browserStorage("posbridge-till-settings"), []);
  const [chosen, store] = useStore<Settings, Partial<Settings>>(withChange, () => {
    try {
      return settingsSchema.parse(JSON.parse(kept.get() ?? ""));
    } catch {
      return FIRST_SETTINGS;
    }
  });
  const known = useRef(terminals);
  known.current = terminals;
  const settingsNow = (): Settings => withTerminal(store.now(), known.current);
  const settings = settingsNow();
  const set = (change: Partial<Settings>): void => {
    store.tell({ ...settingsNow(), ...change });
    kept.set(JSON.stringify(store.now()));
  };
  // The next visit may sell before the bridge has listed its terminals.
  useEffect(() => {
    if (settings.terminal !== chosen.terminal) set({});
  }, [settings.terminal, chosen.terminal]);
  return { settings, settingsNow, set };
}

function withChange(settings: Settings, change: Partial<Settings>): Settings {
  return { ...settings, ...change };
}

function withTerminal(chosen: Settings, terminals: Terminals): Settings {
  const isThere = terminals.some(({ id }) => id === chosen.terminal);
  return isThere || terminals.length === 0 ? chosen : { ...chosen, terminal: terminals[0]?.id ?? "" };
}
