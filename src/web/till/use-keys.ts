import { useLayoutEffect, useRef } from "preact/hooks";

/**
 * Keys pressed anywhere on the page, but not while a question is open, nor with Ctrl and its like. It listens from the moment at which the page shows that it does:
 * a digit that was typed at once is not lost. `onKey` says whether the key was meant for it.
 */
export function useKeys(onKey: (event: KeyboardEvent) => boolean): void {
  const heard = useRef(onKey);
  heard.current = onKey;
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || document.querySelector("dialog[open]") !== null) return;
      if (heard.current(event)) event.preventDefault();
    };
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, []);
}
