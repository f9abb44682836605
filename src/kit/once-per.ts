/**
 * Caches a pure function by object, for as long as the object is in memory. Used for frequent questions about a state
 * that never changes.
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
