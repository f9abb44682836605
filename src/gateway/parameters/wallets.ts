import {
  anyUnder,
  type Chapter,
  chapter,
  needed,
  neededUnder,
  neededWhen,
  part,
  type Row,
  type Rule,
  rows,
  type Sent,
} from "./chapter.ts";
import { oneOf, opaque, string } from "./format.ts";

/** The specification omits the keys; these three are inferred. applePay is the one with cardNetwork and cardType. */
export const WALLETS = ["applePay", "googlePay", "samsungPay"] as const;

const walletRows = <const W extends (typeof WALLETS)[number]>(
  wallet: W,
): readonly Row<`${W}.${"paymentToken" | "source"}`>[] =>
  rows([
    [`${wallet}.paymentToken`, opaque, "conditional"],
    [`${wallet}.source`, oneOf("web", "app"), "conditional"],
  ]);

/** For a decrypted wallet, the caller sends the card and its proof of authentication. */
const OF_DECRYPTED = [
  "card.number",
  "card.expiryMonth",
  "card.expiryYear",
  "threeDSecure.verificationId",
  "threeDSecure.eci",
];

const isSent = (sent: Sent, wallet: string): boolean => anyUnder(sent, `${wallet}.`);

/** Tells whether the caller decrypted the wallet: no token, but a source, or the wallet's card. */
export function isDecrypted(sent: Sent, wallet: string): boolean {
  return (
    !sent.has(`${wallet}.paymentToken`) &&
    (sent.has(`${wallet}.source`) || (isSent(sent, wallet) && anyUnder(sent, "card.")))
  );
}

const tokenNeeded = (wallet: string): Rule =>
  neededWhen(`${wallet}.paymentToken`, (sent) => isSent(sent, wallet) && !isDecrypted(sent, wallet));
const sourceNeeded = (wallet: string): Rule => neededWhen(`${wallet}.source`, (sent) => isDecrypted(sent, wallet));
const cardOfDecrypted = needed(...OF_DECRYPTED);
const cardNeeded: Rule = (sent) =>
  WALLETS.some((wallet) => isDecrypted(sent, wallet)) ? cardOfDecrypted.flatMap((rule) => rule(sent)) : [];

/** Nearly all forms have no wallet: one check is enough for them. */
const whereAnyIsSent =
  (all: readonly Rule[]): Rule =>
  (sent) =>
    WALLETS.some((wallet) => isSent(sent, wallet)) ? all.flatMap((rule) => rule(sent)) : [];

export const wallets = chapter(
  "Wallet payments",
  [
    ...walletRows("applePay"),
    ["applePay.cardNetwork", string],
    ["applePay.cardType", string],
    ...walletRows("googlePay"),
    ...walletRows("samsungPay"),
  ],
  [whereAnyIsSent([...WALLETS.map(tokenNeeded), ...WALLETS.map(sourceNeeded), cardNeeded])],
  [
    "The keys of the three providers are inferred: the specification leaves them out.",
    "Encrypted: `paymentToken`. Decrypted: `source` without it, and with it `card.number`, `card.expiryMonth`, `card.expiryYear`, `threeDSecure.verificationId` and `threeDSecure.eci`.",
  ],
);

/** In the shopper's browser a wallet is always encrypted. */
export const encryptedWallets: Chapter = part(
  wallets,
  (name) => !name.endsWith(".source"),
  WALLETS.flatMap((wallet) => neededUnder(`${wallet}.`, `${wallet}.paymentToken`)),
);
