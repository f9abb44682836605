/**
 * State outside of the drawing. Several presses may come before the page is drawn anew: each is taken at once, and a press that sends something
 * reads what all presses before it have made.
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
