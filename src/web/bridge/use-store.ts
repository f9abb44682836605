import { useReducer, useState } from "preact/hooks";
import { createStore, type Store } from "./store.ts";

/** As `useReducer`, with the newest state at hand for whatever is pressed. Only a drawing uses the first of the two. */
export function useStore<S, E>(next: (state: S, event: E) => S, first: () => S): readonly [S, Store<S, E>] {
  const [, draw] = useReducer((drawn: number) => drawn + 1, 0);
  const [store] = useState(() => createStore(next, first(), () => draw(undefined)));
  return [store.now(), store];
}

/** One value that a person types or chooses. */
export function useField(first: string): readonly [string, Store<string, string>] {
  return useStore(
    (_: string, typed: string) => typed,
    () => first,
  );
}
