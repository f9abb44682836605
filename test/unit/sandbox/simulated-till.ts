import { type ChipCard, chipCard } from "../../../packages/sandbox/testbed/card.ts";
import { tappedMagstripeData } from "../../../packages/sandbox/testbed/card-tracks.ts";
import { NO_VERIFICATION } from "../../../packages/sandbox/testbed/cardholder-verification.ts";
import {
  type ContactTransaction,
  decideFirst,
  selectApplication,
} from "../../../packages/sandbox/testbed/contact-kernel.ts";
import { cardNamed } from "../../../packages/sandbox/testbed/deck.ts";
import { createMemory, emptyMemoryImage } from "../../../packages/sandbox/testbed/memory.ts";
import type { SealedBytes } from "../../../packages/sandbox/testbed/sealed-bytes.ts";
import { createSecureModule } from "../../../packages/sandbox/testbed/secure-module.ts";
import { knownSredLayout } from "../../../packages/sandbox/testbed/sred-layouts.ts";
import { encodeTlvs, type Tlv } from "../../../src/emv/tlv.ts";
import { encodeForm } from "../../../src/gateway/form.ts";
import { toHex } from "../../../src/kit/hex.ts";
import { currencyOf, parseAmount } from "../../../src/kit/money.ts";
import { seededRandom } from "../../../src/kit/seeded-random.ts";

export const ENTITY = "8a8294174b7ecb28014b9699220015ca";
export const TOKEN = "sandbox-token";

/** The time all these tests begin at. */
export const NOW = Date.UTC(2026, 10, 21, 10, 0, 0);

export interface SaleOptions {
  readonly card?: string;
  readonly amount?: string;
  readonly currency?: string;
  /** RG: a card to be stored, without money. */
  readonly paymentType?: "PA" | "DB" | "CD" | "RG";
  readonly entryMode?: "ICC" | "NFC_ICC" | "NFC_MAGSTRIPE";
  readonly merchantTransactionId?: string;
  /** Undefined: what the card's holder knows; null: no PIN is sent. */
  readonly pin?: string | null;
  /** YYMMDD. */
  readonly date?: string;
  /** A terminal that seals chip data and PIN together with the number. */
  readonly sealsAll?: boolean;
}

export interface SimulatedSale {
  readonly fields: ReadonlyMap<string, string>;
  readonly transaction: ContactTransaction;
  readonly icc: readonly Tlv[];
}

/** A terminal without its wire: real keys, real cryptograms, the parameters that a bridge makes of them. */
export interface SimulatedTill {
  sale(options?: SaleOptions): SimulatedSale;
}

/** What never leaves a terminal in clear. */
const SENSITIVE = ["57", "5A", "5F20", "5F24"];

export function simulatedTill(seed = 1): SimulatedTill {
  const random = seededRandom(seed);
  const memory = createMemory(emptyMemoryImage);
  const secure = createSecureModule(random, memory);
  const layouts = { apart: knownSredLayout("MIURA_M020"), whole: knownSredLayout("MAGTEK_DYNAFLEX") };
  let made = 0;
  return {
    sale(options = {}) {
      made += 1;
      const chip = chipOf(options.card ?? "visa-contact");
      const isRegistration = options.paymentType === "RG";
      const {
        amount = isRegistration ? "0.00" : "12.34",
        entryMode = "ICC",
        currency = "EUR",
        paymentType = "PA",
        merchantTransactionId = `test-${seed}-${String(made).padStart(6, "0")}`,
      } = options;
      const request = {
        amount: String(minorOf(amount, currency)).padStart(12, "0"),
        currency: `0${currencyOf(currency)?.numeric}`,
        type: paymentType === "CD" ? "20" : "00",
        date: options.date ?? "261121",
        time: "110000",
        unpredictableNumber: random.bytes(4),
        sequence: made,
      };
      const configuration = {
        country: "0276",
        terminalId: "12345678",
        serialNumber: "00012345",
        onlinePin: true,
        offlinePin: true,
        contactlessCvmLimit: 5000,
        capabilities: "E068C8",
      };
      const selected = selectApplication(chip, memory.nextAtc(chip.profile.name), request, configuration);
      const { transaction } = decideFirst(
        options.pin === null ? { ...selected, verification: NO_VERIFICATION } : selected,
      );
      const icc = transaction.data.filter(({ tag }) => !SENSITIVE.includes(tag));
      const layout = options.sealsAll ? layouts.whole : layouts.apart;
      const pin =
        options.pin === null ? undefined : sealed(secure.sealPin(options.pin ?? chip.profile.pin, chip.profile.pan));
      const sred = sealed(
        secure.sealCard(
          layout,
          entryMode === "NFC_MAGSTRIPE" ? tappedMagstripeData(chip.profile) : transaction.data,
          pin,
        ),
      );
      const fields: readonly (readonly [string, string])[] = [
        ["entityId", ENTITY],
        ...(isRegistration ? [] : Object.entries({ amount, currency, paymentType })),
        ["merchantTransactionId", merchantTransactionId],
        ["pos.entryMode", entryMode],
        ["pos.terminalId", "12345678"],
        ["pos.deviceType", layout.deviceType],
        ["pos.transactionSource", "POS"],
        ...(entryMode === "NFC_MAGSTRIPE" || options.sealsAll
          ? []
          : ([
              ["pos.panSequenceNumber", chip.profile.panSequenceNumber],
              ["pos.iccDataRequest", toHex(encodeTlvs(icc))],
            ] as const)),
        ["pos.encryptedSred.data", toHex(sred.data)],
        ["pos.encryptedSred.ksn", toHex(sred.ksn)],
        ...(pin && !options.sealsAll
          ? ([
              ["pos.encryptedPin.data", toHex(pin.data)],
              ["pos.encryptedPin.ksn", toHex(pin.ksn)],
            ] as const)
          : []),
      ];
      return { fields: new Map(fields), transaction, icc };
    },
  };
}

export function formOf(fields: Iterable<readonly [string, string]>): string {
  return encodeForm([...fields]);
}

function chipOf(name: string): ChipCard {
  const profile = cardNamed(name);
  if (profile === undefined) throw new Error(`no card ${name}`);
  return chipCard(profile);
}

function minorOf(amount: string, code: string): number {
  const currency = currencyOf(code);
  const minor = currency && parseAmount(amount, currency);
  if (minor === undefined) throw new Error(`no amount ${amount} ${code}`);
  return minor;
}

function sealed(bytes: SealedBytes | undefined): SealedBytes {
  if (bytes === undefined) throw new Error("key series used up");
  return bytes;
}
