import { describe, expect, test } from "vitest";
import { languages } from "../../../packages/sandbox/gateway/checkouts/widget/labels/languages.ts";
import { filled, linkWords } from "../../../packages/sandbox/gateway/links/link-language.ts";
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

const english = Object.values(linkWords["en"] ?? {});
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

describe("a link's page", () => {
  test.each(Object.keys(languages))(
    "in %s says everything in that language, and says so to who reads it out",
    async (code) => {
      const { tag, direction } = languages[code] ?? { tag: "", direction: "ltr" };
      const own = linkWords[code];
      const shown = await pages(shopperBench(), code);
      for (const body of shown) {
        expect(body).toContain(`<html lang="${tag}"${direction === "rtl" ? ' dir="rtl"' : ""}>`);
        expect(body).toContain("Sandbox:");
        expect(words(body)).not.toMatch(/\d{3}\.\d{3}\.\d{3}|\{[a-z]+\}/);
      }
      const all = shown.map(words).join(" ");
      for (const text of [
        own?.byCard,
        own?.billing,
        own?.postcode,
        own?.price,
        own?.terms,
        own?.notMade,
        own?.undecided,
        own?.usedUp,
        own?.expired,
      ])
        expect(all).toContain(text);
      expect(all).toContain(filled(own?.payTo ?? "", { merchant: "Corner Shop" }));
      if (code === "en") return;
      // Short words are the same in many languages.
      const foreign = english.filter((text) => text.length > 12 && !text.includes("{"));
      expect(foreign.filter((text) => all.includes(text))).toEqual([]);
    },
  );

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
    expect(words(body)).toContain(linkWords[code]?.byCard);
  });

  test("that names no shop speaks of it all the same", async () => {
    const own = shopperBench();
    const { body } = await own.open(pathOf(await create(own, { "merchant.name": "", locale: "de" })));
    expect(body).toContain("<title>Zahlung an den Händler</title>");
  });
});

test("every language of the hosted form is one of a link's page, with all its texts and their fields", () => {
  expect(Object.keys(linkWords)).toEqual(Object.keys(languages));
  const fieldsOf = (text: string): readonly string[] =>
    [...text.matchAll(/\{([a-z]+)\}/g)].flatMap(([, name = ""]) => (name === "merchant" ? [] : [name]));
  for (const [code, texts] of Object.entries(linkWords)) {
    for (const [name, text] of Object.entries(texts)) {
      const wanted = Object.entries(linkWords["en"] ?? {}).find(([key]) => key === name)?.[1] ?? "";
      expect(fieldsOf(text), `${code} ${name}`).toEqual(fieldsOf(wanted));
    }
    expect(texts.payTo).toContain("{merchant}");
    expect(texts.paidTo).toContain("{merchant}");
  }
});
