import type { Card } from "./control-schema.ts";
import { Chip, Phone, Waves } from "./icons.tsx";

const BRANDS: Readonly<Record<string, string>> = {
  visa: "Visa",
  mastercard: "Mastercard",
  amex: "American Express",
  discover: "Discover",
  jcb: "JCB",
  unionpay: "UnionPay",
  interac: "Interac",
};

export const brandName = (brand: string): string => BRANDS[brand] ?? brand;

/** A card's face: brand, technology and last digits. */
export function CardFace({ card, size = "large" }: { readonly card: Card; readonly size?: "large" | "small" }) {
  const isPhone = card.group === "phone";
  return (
    <span
      class="face"
      data-size={size}
      data-brand={card.brand}
      data-phone={isPhone ? "" : undefined}
      aria-hidden="true"
    >
      <span class="face-top">
        <span class="face-brand">{brandName(card.brand)}</span>
        {isPhone ? <Phone /> : card.ways.includes("tap") && <Waves />}
      </span>
      {card.ways.includes("insert") && <Chip />}
      <span class="face-number">•••• {card.last4}</span>
    </span>
  );
}
