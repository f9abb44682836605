import type { ComponentChildren } from "preact";
import type { Tone } from "./tone.ts";

/** Words about what happened. Problems are read out at once, everything else in its turn. */
export function Notice({ tone, children }: { readonly tone?: Tone | undefined; readonly children: ComponentChildren }) {
  return (
    <div class="notice" data-tone={tone} role={tone === "bad" ? "alert" : "status"}>
      {children}
    </div>
  );
}
