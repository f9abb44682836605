import type { RedirectingBrand } from "../../../../src/gateway/parameters/accounts.ts";

/**
 * The way the shopper confirms. A voucher is paid within days, at a counter or by a transfer that the shopper makes.
 */
export type AsynchronousKind = "wallet" | "online-transfer" | "pay-later" | "voucher";

/** A brand whose payments wait for the shopper (specification, "What the service does", 3). */
export interface AsynchronousMethod {
  /** As in paymentBrand. */
  readonly brand: string;
  readonly title: string;
  readonly kind: AsynchronousKind;
  /** The instruction on the brand's page. */
  readonly asks: string;
}

/** RedirectingBrand makes a brand that is missing in the parameter tables a compile error. */
type Row = readonly [brand: RedirectingBrand, title: string, asks?: string];

/** The specification names only PAYPAL; the other keys are from public references of this gateway. */
export const asynchronousMethods: readonly AsynchronousMethod[] = [
  ...of("wallet", "Log in to your wallet and confirm the payment.", [
    ["PAYPAL", "PayPal"],
    ["ALIPAY", "Alipay", "Scan the code with the app and confirm the payment."],
    ["WECHAT_PAY", "WeChat Pay", "Scan the code with the app and confirm the payment."],
    ["MBWAY", "MB WAY", "Confirm the payment in the app on your phone."],
    ["MOBILEPAY", "MobilePay", "Confirm the payment in the app on your phone."],
    ["VIPPS", "Vipps", "Confirm the payment in the app on your phone."],
    ["SWISH", "Swish", "Confirm the payment in the app on your phone."],
    ["TWINT", "TWINT", "Confirm the payment in the app on your phone."],
    ["BLIK", "BLIK", "Confirm the payment in your bank's app."],
    ["STC_PAY", "stc pay", "Confirm the payment with the code that was sent to your phone."],
    ["PAYSAFECARD", "paysafecard", "Enter the number on your prepaid card."],
  ]),
  ...of("online-transfer", "Log in to your bank and release the transfer.", [
    ["SOFORTUEBERWEISUNG", "Sofort"],
    ["IDEAL", "iDEAL", "Choose your bank and release the transfer."],
    ["GIROPAY", "giropay"],
    ["PAYDIREKT", "paydirekt"],
    ["EPS", "eps", "Choose your bank and release the transfer."],
    ["PRZELEWY", "Przelewy24", "Choose your bank and release the transfer."],
    ["TRUSTLY", "Trustly"],
    ["BANCONTACT", "Bancontact", "Confirm the payment with your card reader or in the app."],
    ["BANCONTACT_MOBILE", "Bancontact mobile", "Scan the code with the app and confirm the payment."],
    ["POLI", "POLi", "Choose your bank and release the transfer."],
    ["PAYTRAIL", "Paytrail", "Choose your bank and release the transfer."],
    ["TRUSTPAY_VA", "TrustPay"],
    ["ENTERCASH", "Entercash"],
    ["POSTFINANCE", "PostFinance"],
    ["INTERAC_ONLINE", "Interac Online"],
    ["ONLINETRANSFER", "Online transfer"],
    ["SADAD", "SADAD"],
    ["KNET", "KNET"],
  ]),
  ...of("pay-later", "Confirm that you want to pay later.", [
    ["KLARNA_PAYMENTS_PAYLATER", "Klarna, pay later"],
    ["KLARNA_PAYMENTS_PAYNOW", "Klarna, pay now", "Log in to your bank and release the transfer."],
    ["KLARNA_PAYMENTS_SLICEIT", "Klarna, in instalments"],
    ["KLARNA_INVOICE", "Klarna, on account"],
    ["KLARNA_INSTALLMENTS", "Klarna, by instalments"],
    ["AFTERPAY", "Afterpay"],
    ["TABBY", "Tabby"],
    ["TAMARA", "Tamara"],
  ]),
  ...of("voucher", "Take the number to a counter or a cash machine and pay there within some days.", [
    [
      "PREPAYMENT",
      "Payment in advance",
      "Transfer the amount with the reference that is shown; the goods are sent when it has arrived.",
    ],
    ["BOLETO", "Boleto"],
    ["MULTIBANCO", "Multibanco"],
    ["OXXO", "OXXO"],
  ]),
];

function of(kind: AsynchronousKind, asks: string, rows: readonly Row[]): readonly AsynchronousMethod[] {
  return rows.map(([brand, title, own = asks]) => ({ brand, title, kind, asks: own }));
}

const byBrand: ReadonlyMap<string, AsynchronousMethod> = new Map(
  asynchronousMethods.map((method) => [method.brand, method]),
);

/** Undefined: the brand answers at once. */
export function asynchronousMethodOf(brand: string | undefined): AsynchronousMethod | undefined {
  return brand === undefined ? undefined : byBrand.get(brand);
}
