import type { Look } from "./picture.ts";

/** Each look has its own shape, so nobody needs the colour: disc, octagon, diamond, square. */
export function LookIcon({ look }: { readonly look: Look }) {
  return (
    <svg
      class="look-icon"
      viewBox="0 0 48 48"
      aria-hidden="true"
      fill="none"
      stroke="currentColor"
      stroke-width="4"
      stroke-linecap="round"
      stroke-linejoin="round"
    >
      <Shape look={look} />
    </svg>
  );
}

function Shape({ look }: { readonly look: Look }) {
  switch (look) {
    case "good":
    case "part":
      return (
        <>
          <circle cx="24" cy="24" r="20" />
          <path d={look === "good" ? "M14 25l7 7 13-15" : "M14 24h20"} />
        </>
      );
    case "bad":
      return (
        <>
          <path d="M16 4h16l12 12v16L32 44H16L4 32V16z" />
          <path d="M17 17l14 14M31 17L17 31" />
        </>
      );
    case "unknown":
      return (
        <>
          <path d="M24 3l21 21-21 21L3 24z" />
          <path d="M19.5 19.5a4.5 4.5 0 1 1 6.5 4c-1.4.7-2 1.6-2 3M24 32.5v.1" />
        </>
      );
    case "prompt":
      return (
        <>
          <rect x="9" y="4" width="30" height="26" rx="4" />
          <path d="M16 12h16M16 19h9M17 30v14h14V30" />
        </>
      );
    case "sign":
      return <path d="M6 42h36M12 33l3-9L33 6l7 7-18 18z" />;
    case "link":
      return <path d="M6 6h12v12H6zM30 6h12v12H30zM6 30h12v12H6zM30 30h4v4M42 30v12H30" />;
    case "busy":
      return (
        <>
          <circle cx="24" cy="24" r="19" />
          <path d="M24 13v11l7 6" />
        </>
      );
    case "stopped":
      return (
        <>
          <rect x="5" y="5" width="38" height="38" rx="8" />
          <path d="M24 14v12M24 33.5v.1" />
        </>
      );
    case "over":
      return (
        <>
          <circle cx="24" cy="24" r="20" />
          <path d="M30 17H19a6 6 0 0 0 0 13h11M24 12l-6 5 6 5" />
        </>
      );
  }
}

export function BackIcon() {
  return (
    <svg
      viewBox="0 0 24 24"
      width="24"
      height="24"
      aria-hidden="true"
      fill="none"
      stroke="currentColor"
      stroke-width="2"
      stroke-linejoin="round"
      stroke-linecap="round"
    >
      <path d="M8 5h13v14H8l-6-7zM12 9.5l5 5M17 9.5l-5 5" />
    </svg>
  );
}
