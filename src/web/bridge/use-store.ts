import { useReducer, useState } from "preact/hooks";
import { createStore, type Store } from "./store.ts";

/** Like `useReducer`, with the current state for event handlers. Only rendering uses the first element. */
export function useStore<S, E>(next: (state: S, event: E) => S, first: () => S): readonly [S, Store<S, E>] {
  const [, draw] = useReducer((drawn: number) => drawn + 1, 0);
  const [store] = useState(() => createStore(next, first(), () => draw(undefined)));
  return [store.now(), store];
}

/** A value that a person types or chooses. */
export function useField(first: string): readonly [string, Store<string, string>] {
  return useStore(
    (_: string, typed: string) => typed,
    () => first,
  );
}
