import { hash } from "node:crypto";
import { type CardBrand, cardBrands } from "../accounts/brands.ts";
import { asynchronousMethods } from "../asynchronous/methods.ts";
import type { Checkout } from "./checkout.ts";
import { cardSigns, directDebitBrands, type WidgetBrand } from "./widget/brands.ts";
import { cardFormScript } from "./widget/card-form-script.ts";
import { digitsScript } from "./widget/digits-script.ts";
import { fieldScript } from "./widget/field-script.ts";
import { type FramePages, framePages } from "./widget/frame-page.ts";
import { languages, otherCodes } from "./widget/languages.ts";
import { otherFormsScript } from "./widget/other-forms-script.ts";
import { pageScript } from "./widget/page-script.ts";
import { secureFieldScript } from "./widget/secure-field-script.ts";
import { startScript } from "./widget/start-script.ts";

const FORM_OF_KIND = {
  wallet: "virtualAccount",
  "online-transfer": "onlineTransfer",
  "pay-later": "invoice",
  voucher: "prepayment",
} as const;

/** Every brand allowed in data-brands. */
export const widgetBrands: Readonly<Record<string, WidgetBrand>> = {
  ...Object.fromEntries(
    asynchronousMethods.map(({ brand, title, kind }) => [brand, { title, is: FORM_OF_KIND[kind] }] as const),
  ),
  ...Object.fromEntries(cardBrands.map((brand) => [brand.key, cardOf(brand)] as const)),
  ...directDebitBrands,
};

function cardOf({ key, numbers, cvvDigits, wantsCvv }: CardBrand): WidgetBrand {
  const { title = key, begins } = cardSigns[key] ?? {};
  return {
    title,
    is: "card",
    numbers: numbers.source,
    ...(begins !== undefined && { begins }),
    cvv: wantsCvv ? [cvvDigits] : [0, cvvDigits],
  };
}

/** The frames that take the card's secret fields. */
export const frames: FramePages = framePages(
  Object.fromEntries(Object.entries(widgetBrands).filter(([, { is }]) => is === "card")),
);

const PARTS = [
  digitsScript,
  pageScript,
  secureFieldScript,
  fieldScript,
  cardFormScript,
  otherFormsScript,
  startScript,
].join("");
/** The page needs only the brand's name and form. */
const shown = Object.fromEntries(
  Object.entries(widgetBrands).map(([brand, { title, is }]) => [brand, { title, is }] as const),
);
const DATA = `const languages = ${JSON.stringify(languages)};\nconst otherCodes = ${JSON.stringify(otherCodes)};\nconst brands = ${JSON.stringify(shown)};\n`;

/**
 * The hosted form's script of a checkout. It contains neither amount nor gateway address, so its hash holds until other
 * tokens are sent.
 */
export function widgetScript({
  id,
  kind,
  offered,
  parameters,
}: Pick<Checkout, "id" | "kind" | "offered" | "parameters">): string {
  const checkout = JSON.stringify({ id, kind, offered, stores: parameters["createRegistration"] === "true" });
  return `(() => {\n"use strict";\nconst checkout = ${checkout};\n${DATA}${PARTS}})();\n`;
}

/** Subresource Integrity, section 3.2: value of the script tag's `integrity`. */
export function integrityOf(script: string): string {
  return `sha384-${hash("sha384", script, "base64")}`;
}
