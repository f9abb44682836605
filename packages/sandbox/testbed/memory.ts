import { z } from "zod";
import { fromHex, toHex } from "../../../src/kit/hex.ts";

/**
 * State of a simulated terminal and its cards between transactions. Kept over restarts, so that the issuer never sees a
 * counter twice.
 */
export const memoryImageSchema = z.strictObject({
  /**
   * By the card's name: last ATC, number of PINs typed by the holder, and consecutive wrong PINs compared by the card.
   */
  cards: z.record(
    z.string(),
    z.strictObject({
      atc: z.int().min(0).max(0xffff),
      typed: z.int().nonnegative(),
      wrongPins: z.int().nonnegative().default(0),
    }),
  ),
  /** The last KSN of each series, 20 hexadecimal digits. */
  ksn: z.strictObject({ pin: z.hex().length(20).optional(), sred: z.hex().length(20).optional() }),
});
export type MemoryImage = z.infer<typeof memoryImageSchema>;

export const emptyMemoryImage: MemoryImage = { cards: {}, ksn: {} };

export type KsnSeries = "pin" | "sred";

export interface Memory {
  /** Increments and returns the card's ATC. It wraps from FFFF to 1; no card lives that long. */
  nextAtc(card: string): number;
  /** Index of the holder's next PIN, from 0. */
  nextTyped(card: string): number;
  /** Consecutive wrong PINs compared by the card. */
  wrongPins(card: string): number;
  setWrongPins(card: string, count: number): void;
  lastKsn(series: KsnSeries): Uint8Array | undefined;
  setKsn(series: KsnSeries, ksn: Uint8Array): void;
}

/**
 * Starts with `image`. `firstAtc` is the ATC of new cards before their first transaction. `changed` receives the image
 * after every change, to save it.
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
    changed?.({
      cards: Object.fromEntries(cards),
      ksn: { ...(pin !== undefined && { pin }), ...(sred !== undefined && { sred }) },
    });
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
