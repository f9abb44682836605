import { z } from "zod";
import { fromHex, toHex } from "../kit/hex.ts";

/** What a simulated terminal and its cards remember between transactions. Kept over restarts, an issuer never sees a counter twice. */
export const memoryImageSchema = z.strictObject({
  /** By the card's name in the deck: its last ATC, how many PINs its holder has typed, and how many wrong ones in a row the card itself has compared. */
  cards: z.record(z.string(), z.strictObject({ atc: z.int().min(0).max(0xffff), typed: z.int().nonnegative(), wrongPins: z.int().nonnegative().default(0) })),
  /** The KSN used last in each series, 20 hexadecimal digits. */
  ksn: z.strictObject({ pin: z.hex().length(20).optional(), sred: z.hex().length(20).optional() }),
});
export type MemoryImage = z.infer<typeof memoryImageSchema>;

export const emptyMemoryImage: MemoryImage = { cards: {}, ksn: {} };

export type KsnSeries = "pin" | "sred";

export interface Memory {
  /** Raises the card's application transaction counter and tells it. It wraps from FFFF to 1; no card lives that long. */
  nextAtc(card: string): number;
  /** Which entry of the holder's list comes next, from 0 on. */
  nextTyped(card: string): number;
  /** Wrong PINs in a row that the card itself has compared. */
  wrongPins(card: string): number;
  setWrongPins(card: string, count: number): void;
  lastKsn(series: KsnSeries): Uint8Array | undefined;
  setKsn(series: KsnSeries, ksn: Uint8Array): void;
}

/**
 * A memory that begins with `image`. `firstAtc` is what a card that is not in it counts from. `changed` is called with a fresh image after every change,
 * so that a caller can keep it on disk.
 */
export function createMemory(
  image: MemoryImage,
  { firstAtc = 0, changed }: { readonly firstAtc?: number; readonly changed?: (image: MemoryImage) => void } = {},
): Memory {
  const cards = new Map(Object.entries(image.cards));
  const ksns = new Map<KsnSeries, string>();
  if (image.ksn.pin !== undefined) ksns.set("pin", image.ksn.pin);
  if (image.ksn.sred !== undefined) ksns.set("sred", image.ksn.sred);
  const card = (name: string) => cards.get(name) ?? { atc: firstAtc, typed: 0, wrongPins: 0 };
  const tell = (): void => {
    const pin = ksns.get("pin");
    const sred = ksns.get("sred");
    changed?.({ cards: Object.fromEntries(cards), ksn: { ...(pin !== undefined && { pin }), ...(sred !== undefined && { sred }) } });
  };
  return {
    nextAtc: (name) => {
      const { atc, ...rest } = card(name);
      const next = atc === 0xffff ? 1 : atc + 1;
      cards.set(name, { ...rest, atc: next });
      tell();
      return next;
    },
    nextTyped: (name) => {
      const { typed, ...rest } = card(name);
      cards.set(name, { ...rest, typed: typed + 1 });
      tell();
      return typed;
    },
    wrongPins: (name) => card(name).wrongPins,
    setWrongPins: (name, wrongPins) => {
      cards.set(name, { ...card(name), wrongPins });
      tell();
    },
    lastKsn: (series) => {
      const ksn = ksns.get(series);
      return ksn === undefined ? undefined : fromHex(ksn);
    },
    setKsn: (series, ksn) => {
      ksns.set(series, toHex(ksn));
      tell();
    },
  };
}
