/** `good`: it is done. `bad`: it is not, and surely so. `unknown`: nobody knows yet. */
export type Tone = "good" | "bad" | "unknown";
