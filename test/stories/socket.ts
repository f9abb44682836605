import { z } from "zod";
import type { OpenSocket } from "../../src/client/wire-socket.ts";
import type { Life } from "./bridge.ts";
import type { StoryTime } from "./time.ts";

/** One way over the loopback interface, in milliseconds. */
const WAY_MS = 1;
const ABNORMAL = 1006;

const replySchema = z.object({ id: z.int() });

/** Sockets to whichever life of the bridge runs when they are opened. Time runs while a call has no reply. */
export function storySockets({ clock, hold }: StoryTime, life: () => Life | undefined): OpenSocket {
  return (_url, events) => {
    const bridge = life();
    const calls = new Map<number, () => void>();
    let open = true;
    const closed = (code: number, reason: string): void => {
      if (!open) return;
      open = false;
      forget?.();
      for (const release of calls.values()) release();
      events.closed(code, reason);
    };
    const toTill = (run: () => void): void => void clock.after(WAY_MS, () => (open ? run() : undefined));
    /** Time runs until the till has heard of it. */
    const closeSoon = (code: number, reason: string): void => {
      const release = hold();
      clock.after(WAY_MS, () => {
        closed(code, reason);
        release();
      });
    };
    const toBridge = (run: () => void): void => void clock.after(WAY_MS, () => (bridge?.isAlive() ? run() : undefined));
    const text = (frame: string): void => {
      const reply = replySchema.safeParse(JSON.parse(frame));
      if (reply.success) calls.get(reply.data.id)?.();
      events.text(frame);
    };
    const connection = bridge?.isAlive()
      ? bridge.accept({
          admit: () => true,
          keep: () => undefined,
          waiting: () => 0,
          send: (frame) => {
            if (bridge.isAlive()) toTill(() => text(frame));
            return true;
          },
          close: (code, reason) => (bridge.isAlive() ? closeSoon(code, reason) : undefined),
        })
      : undefined;
    if (connection === undefined) closeSoon(ABNORMAL, "nobody listens");
    const forget = bridge?.isAlive() ? bridge.whenDead(() => closeSoon(ABNORMAL, "")) : undefined;
    return {
      send: (frame) => {
        const call = replySchema.safeParse(JSON.parse(frame));
        if (call.success && open) calls.set(call.data.id, hold());
        toBridge(() => connection?.receive(frame));
      },
      close: (code = ABNORMAL, reason = "") => {
        toBridge(() => connection?.closed());
        closeSoon(code, reason);
      },
    };
  };
}
