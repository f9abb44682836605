/** Milliseconds of a clock that all processes of this machine share (CLOCK_MONOTONIC). */
export function moment(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}
