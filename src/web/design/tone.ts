/** `good`: done. `bad`: definitely not done. `unknown`: not known yet. */
export type Tone = "good" | "bad" | "unknown";
