import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";

interface ScrollListProps {
  readonly name: string;
  readonly className: string;
  /** Scrolls to the end when this changes, unless the reader has scrolled away. */
  readonly endsWith?: number | undefined;
  readonly children: ComponentChildren;
}

/** Distance that still counts as the end. */
const NEAR_PX = 40;

/** A scrollable list that the keyboard can reach. */
export function ScrollList({ name, className, endsWith, children }: ScrollListProps) {
  const list = useRef<HTMLOListElement>(null);
  const follows = useRef(true);
  useEffect(() => {
    // Its content takes no focus, so the list must.
    if (list.current !== null) list.current.tabIndex = 0;
  }, []);
  useEffect(() => {
    const shown = list.current;
    if (shown !== null && endsWith !== undefined && follows.current) shown.scrollTop = shown.scrollHeight;
  }, [endsWith]);
  const scrolled = (): void => {
    const shown = list.current;
    if (shown !== null) follows.current = shown.scrollHeight - shown.scrollTop - shown.clientHeight < NEAR_PX;
  };
  return (
    <ol class={className} ref={list} onScroll={scrolled} aria-label={name}>
      {children}
    </ol>
  );
}
