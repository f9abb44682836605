import { messageOf, type SessionLog } from "./session-log.ts";

/**
 * Calls listeners with one event after another, in the order of listening, even if a listener causes the next event.
 */
export interface Announcer<E> {
  listen(listener: (event: E) => void): void;
  announce(event: E): void;
}

/** A listener that throws is logged and does not affect the others. */
export function createAnnouncer<E>(log: SessionLog): Announcer<E> {
  const listeners: ((event: E) => void)[] = [];
  const waiting: E[] = [];
  let telling = false;
  const tell = (event: E): void => {
    for (const listener of listeners) {
      try {
        listener(event);
      } catch (error) {
        log.error({ error: messageOf(error) }, "a listener of terminal events failed");
      }
    }
  };
  const announce = (event: E): void => {
    waiting.push(event);
    if (telling) return;
    telling = true;
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) tell(next);
    telling = false;
  };
  return { listen: (listener) => void listeners.push(listener), announce };
}
