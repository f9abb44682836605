import type { Tone } from "../design/tone.ts";

/** The overview's icon: tick, question mark, cross, or three dots while unknown. */
export function VerdictIcon({ tone }: { readonly tone: Tone | undefined }) {
  return (
    <svg class="verdict-icon" viewBox="0 0 48 48" aria-hidden="true">
      {drawingOf(tone)}
    </svg>
  );
}

function drawingOf(tone: Tone | undefined) {
  switch (tone) {
    case "good":
      return (
        <>
          <circle cx="24" cy="24" r="22" />
          <path d="M14 25 L21 32 L34 17" />
        </>
      );
    case "bad":
      return (
        <>
          <rect x="3" y="3" width="42" height="42" rx="4" />
          <path d="M16 16 L32 32 M32 16 L16 32" />
        </>
      );
    case "unknown":
      return (
        <>
          <path class="plate" d="M24 2 L46 24 L24 46 L2 24 Z" />
          <path d="M19 19.5 C19 12 29.5 13 29.5 19.5 C29.5 24 24 23.5 24 28.5 M24 33.5 L24 34" />
        </>
      );
    case undefined:
      return (
        <>
          <circle cx="24" cy="24" r="22" />
          <path d="M14 24 L14.1 24 M24 24 L24.1 24 M34 24 L34.1 24" />
        </>
      );
  }
}
