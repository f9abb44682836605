/**
 * State outside of rendering. Several presses may come before the next render: each applies at once, and a press that
 * sends reads the result of all before it.
 */
export interface Store<S, E> {
  now(): S;
  tell(event: E): void;
}

export function createStore<S, E>(next: (state: S, event: E) => S, first: S, changed: () => void): Store<S, E> {
  let state = first;
  return {
    now: () => state,
    tell: (event) => {
      const after = next(state, event);
      if (Object.is(after, state)) return;
      state = after;
      changed();
    },
  };
}
