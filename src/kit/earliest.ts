export function earliest(times: readonly (number | undefined)[]): number | undefined {
  const known = times.filter((at) => at !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
}
