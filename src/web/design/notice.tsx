import type { ComponentChildren } from "preact";
import type { Tone } from "./tone.ts";

/** A notice. Screen readers announce problems at once, others in turn. */
export function Notice({ tone, children }: { readonly tone?: Tone | undefined; readonly children: ComponentChildren }) {
  return (
    <div class="notice" data-tone={tone} role={tone === "bad" ? "alert" : "status"}>
      {children}
    </div>
  );
}
