import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";

interface ScrollListProps {
  readonly name: string;
  readonly className: string;
  /** Stays at the end when this changes, as long as the reader has not scrolled away from it. */
  readonly endsWith?: number | undefined;
  readonly children: ComponentChildren;
}

/** How far from its end a list still counts as being there. */
const NEAR_PX = 40;

/** A list that scrolls by itself, and can be reached by keyboard to do so. */
export function ScrollList({ name, className, endsWith, children }: ScrollListProps) {
  const list = useRef<HTMLOListElement>(null);
  const follows = useRef(true);
  useEffect(() => {
    // Nothing in it takes the focus, so that the list itself has to.
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
