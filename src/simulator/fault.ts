/** Contract, section 5. */
export const faultNames = [
  "unplug",
  "plug",
  "hang",
  "reboot",
  "corrupt-next-frame",
  "duplicate-next-frame",
  "drop-next-frame",
  "garbage",
  "slow",
] as const;

export type FaultName = (typeof faultNames)[number];

/** Faults that change one frame. */
export type FrameFault = "corrupt-next-frame" | "duplicate-next-frame" | "drop-next-frame";

/** Faults that happen at once, between two frames. */
export type Strike = Exclude<FaultName, FrameFault>;
