import { describe, expect, test } from "vitest";
import formTexts from "../../../packages/sandbox/gateway/checkouts/widget/languages.json" with { type: "json" };
import { codeOf, languageCodeSchema, languages } from "../../../packages/sandbox/gateway/checkouts/widget/languages.ts";
import { filled } from "../../../packages/sandbox/gateway/links/link-language.ts";
import linkTexts from "../../../packages/sandbox/gateway/links/link-words.json" with { type: "json" };
import { linkWords } from "../../../packages/sandbox/gateway/links/link-words.ts";
import {
  cardFields,
  type Fields,
  PLAIN_CARD,
  RESULT_URL,
  type ShopperBench,
  shopperBench,
} from "./asynchronous-bench.ts";
import { create, pathOf, payBy } from "./links-bench.ts";

/* A link's page is written in the language of the link's locale, in every state that a customer may find it in. */

const english = Object.values(linkWords.en);
const EVERYTHING: Fields = {
  ...{
    collectBilling: "all",
    shopperResultUrl: RESULT_URL,
    "cart.items[0].name": "Soup",
    "cart.items[0].price": "12.34",
  },
  ...{
    termsAndConditionsUrl: "https://shop.example/terms",
    privacyPolicyUrl: "https://shop.example/privacy",
    createQRCode: "",
  },
};

/** What a reader of the page sees of it, without the sandbox's own warning. */
function words(body: string): string {
  const [, main = ""] = /<main>(.*)<\/main>/s.exec(body) ?? [];
  return main.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");
}

/**
 * The page of a new link, of one that was declined, whose form was wrong, whose customer is at his bank, that was paid,
 * and that expired.
 */
async function pages(own: ShopperBench, locale: string): Promise<readonly string[]> {
  const link = await create(own, { ...EVERYTHING, locale });
  const fresh = (await own.open(pathOf(link))).body;
  await payBy(own, link, cardFields("4000000000000002"));
  const declined = (await own.open(pathOf(link))).body;
  const wrong = (await own.submit(pathOf(link), cardFields("42"))).body;
  const other = await create(own, { ...EVERYTHING, locale, merchantTransactionId: "order-2026-0002" });
  await payBy(own, other, { paymentBrand: "PAYPAL" });
  const underWay = (await own.open(pathOf(other))).body;
  await payBy(own, link, cardFields(PLAIN_CARD));
  const paid = (await own.open(pathOf(link))).body;
  const old = await create(own, {
    ...EVERYTHING,
    locale,
    merchantTransactionId: "order-2026-0003",
    validUntil: "1",
    validUntilUnit: "HOUR",
  });
  await own.clock.advance(3_600_001);
  return [fresh, declined, wrong, underWay, paid, (await own.open(pathOf(old))).body];
}

const codes = languageCodeSchema.options;

describe("a link's page", () => {
  test.each(codes)("in %s says everything in that language, and says so to who reads it out", async (code) => {
    const { tag, direction } = languages[code];
    const own = linkWords[code];
    const shown = await pages(shopperBench(), code);
    for (const body of shown) {
      expect(body).toContain(`<html lang="${tag}"${direction === "rtl" ? ' dir="rtl"' : ""}>`);
      expect(body).toContain("Sandbox:");
      expect(words(body)).not.toMatch(/\d{3}\.\d{3}\.\d{3}|\{[a-z]+\}/);
    }
    const all = shown.map(words).join(" ");
    for (const text of [
      own.byCard,
      own.billing,
      own.postcode,
      own.price,
      own.terms,
      own.notMade,
      own.undecided,
      own.usedUp,
      own.expired,
    ])
      expect(all).toContain(text);
    expect(all).toContain(filled(own.payTo, { merchant: "Corner Shop" }));
    if (code === "en") return;
    // Short words are the same in many languages.
    const foreign = english.filter((text) => text.length > 12 && !text.includes("{"));
    expect(foreign.filter((text) => all.includes(text))).toEqual([]);
  });

  test.each([
    ["de_DE", "de"],
    ["de-AT", "de"],
    ["DE", "de"],
    ["sv_SE", "se"],
    ["zh-CN", "cn"],
    ["xx", "en"],
    ["__proto__", "en"],
    ["", "en"],
  ])("with the locale %j is in %s", async (locale, code) => {
    const own = shopperBench();
    const { body } = await own.open(pathOf(await create(own, { locale })));
    expect(words(body)).toContain(linkWords[codeOf(code)].byCard);
  });

  test("that names no shop speaks of it all the same", async () => {
    const own = shopperBench();
    const { body } = await own.open(pathOf(await create(own, { "merchant.name": "", locale: "de" })));
    expect(body).toContain("<title>Zahlung an den Händler</title>");
  });
});

/** The data as it stands in a file: what a translator has left out or misspelt is named by its place. */
function placesOf(texts: object, before = ""): readonly string[] {
  return Object.entries(texts).flatMap(([name, value]: [string, unknown]) => {
    if (typeof value === "object" && value !== null) return placesOf(value, `${before}${name}.`);
    // A language may name the merchant where English does not, but for the two headings.
    const fields = [...String(value).matchAll(/\{[a-z]+\}/g)]
      .map(([field]) => field)
      .filter((field) => field !== "{merchant}" || ["payTo", "paidTo"].includes(name));
    return [`${before}${name}${value === "" ? " is empty" : ""} ${fields.sort().join("")}`.trim()];
  });
}

describe.each([
  ["the hosted form", formTexts],
  ["a link's page", linkTexts],
])("the texts of %s", (_, texts) => {
  test("are in the languages of the specification, in its order", () => {
    const inSpecification = "en de fr es it nl dk fi se tr ja sl pt pl cz hu bg ro ru cn gr no sk ar ko";
    expect(Object.keys(texts).join(" ")).toBe(inSpecification);
  });

  test.each(codes)("are all there in %s, each with the fields of the English one", (code) => {
    expect(placesOf(texts[code])).toEqual(placesOf(texts.en));
  });
});
