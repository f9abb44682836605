import { type SredLayout, sredLayoutOf } from "../../packages/sandbox/testbed/sred-layouts.ts";

function layoutOf(deviceType: string): SredLayout {
  const layout = sredLayoutOf(deviceType);
  if (layout === undefined) throw new RangeError(`sred-layouts has no ${deviceType}`);
  return layout;
}

/** Data that this family encrypts (PROTOCOL.md 4.6). */
export const verifoneLayout: SredLayout = layoutOf("VERIFONE_P400");
