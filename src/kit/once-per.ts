/**
 * The same pure function, worked out once for each object that it is asked about, and remembered for as long as anybody holds that object. For what is asked again and again of
 * a state that never changes.
 */
export function oncePer<K extends object, V>(workOut: (of: K) => V): (of: K) => V {
  const known = new WeakMap<K, { readonly value: V }>();
  return (of) => {
    const before = known.get(of);
    if (before !== undefined) return before.value;
    const value = workOut(of);
    known.set(of, { value });
    return value;
  };
}
