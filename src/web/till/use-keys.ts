import { useLayoutEffect, useRef } from "preact/hooks";

/**
 * Keys pressed anywhere, except during a question or with Ctrl, Alt or Meta. Listens before painting, so no early digit
 * is lost. `onKey` returns whether it used the key.
 */
export function useKeys(onKey: (event: KeyboardEvent) => boolean): void {
  const heard = useRef(onKey);
  heard.current = onKey;
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      if (
        event.ctrlKey ||
        event.metaKey ||
        event.altKey ||
        event.defaultPrevented ||
        document.querySelector("dialog[open]") !== null
      )
        return;
      if (heard.current(event)) event.preventDefault();
    };
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, []);
}
