/* Decorative drawings; the text beside them has the same content. */

export function Waves() {
  return (
    <svg viewBox="0 0 40 40" aria-hidden="true" class="icon-waves">
      <path d="M11 13c2.5 4 2.5 10 0 14M17 9.500c4.200 6.500 4.200 14.500 0 21M23 6.500c5.500 8.500 5.500 18.500 0 27M29 3.500c7 11 7 22 0 33" />
    </svg>
  );
}

export function Chip() {
  return (
    <svg viewBox="0 0 36 28" aria-hidden="true" class="icon-chip">
      <rect x="1" y="1" width="34" height="26" rx="5" />
      <path d="M1 10h11M1 18h11M24 10h11M24 18h11M12 1v26M24 1v26M12 14h12" />
    </svg>
  );
}

export function Phone() {
  return (
    <svg viewBox="0 0 20 32" aria-hidden="true" class="icon-phone">
      <rect x="1.500" y="1.500" width="17" height="29" rx="3.500" />
      <path d="M7 27h6" />
    </svg>
  );
}

export function Arrow({ from }: { readonly from: "bridge" | "terminal" | "link" }) {
  if (from === "link")
    return (
      <svg viewBox="0 0 20 12" aria-hidden="true" class="icon-arrow">
        <circle cx="10" cy="6" r="3" />
      </svg>
    );
  return (
    <svg viewBox="0 0 20 12" aria-hidden="true" class="icon-arrow">
      {from === "bridge" ? <path d="M2 6h15M12 1.500 17 6l-5 4.500" /> : <path d="M18 6H3M8 1.500 3 6l5 4.500" />}
    </svg>
  );
}
