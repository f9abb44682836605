import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { hostedForm } from "./browser.ts";
import { neededPolicy, policyOf } from "./merchant-page.ts";
import { openStreet, type Street } from "./street.ts";

const APPROVED = "000.100.110";
const NO_SESSION = "200.300.404";
const PAN = "4200000000000000";

let street: Street;

beforeAll(async () => {
  street = await openStreet();
});

afterAll(() => street?.close());
afterEach(() => street.leave());

describe("a shopper who types a card", () => {
  test("pays, comes back to the shop, and the shop reads the result once", async () => {
    const checkout = await street.visit();
    const form = hostedForm(street.page());
    await form.type();
    const submitted = street.page().waitForRequest((request) => request.method() === "POST");
    await form.pay.click();
    // The frame itself sends the whole window on: what is secret goes from the gateway's page to the gateway.
    expect((await submitted).isNavigationRequest()).toBe(true);
    expect((await submitted).headers()["origin"]).not.toBe(street.shop.url);
    const status = await street.back();
    expect(status).toMatchObject({
      result: { code: APPROVED },
      amount: "12.34",
      paymentType: "DB",
      paymentBrand: "VISA",
      card: { holder: "Jane Jones" },
    });
    const path = `/v1/checkouts/${checkout.id}/payment`;
    expect(Object.fromEntries(street.shop.returned[0]?.query ?? [])).toEqual({ id: checkout.id, resourcePath: path });
    expect(await street.shop.status(path)).toMatchObject({ httpStatus: 400, body: { result: { code: NO_SESSION } } });
  });

  test("pays also where a program put the text in and no frame of the form had a gesture", async () => {
    await street.visit();
    const { number, cvv, expiry, holder, pay } = hostedForm(street.page());
    await number.fill(PAN);
    await cvv.fill("123");
    await expiry.fill("12/2034");
    await holder.fill("Jane Jones");
    await pay.click();
    expect((await street.back()).result.code).toBe(APPROVED);
  });

  test("never has his number or his code in the merchant's page", async () => {
    await street.visit({
      options: "{ onReady() { window.heard = []; addEventListener('message', ({ data }) => heard.push(data)); } }",
    });
    const form = hostedForm(street.page());
    await form.type({ cvv: "987" });
    await street
      .page()
      .evaluate(
        "for (let at = 0; at < frames.length; at += 1) frames[at].postMessage({ type: 'ask', group: document.querySelector('form.wpwl-form').id }, '*')",
      );
    await street
      .page()
      .evaluate(
        "for (let at = 0; at < frames.length; at += 1) frames[at].postMessage({ type: 'check', number: 1 }, '*')",
      );
    // Nor may a page ask by a pattern of its own, one digit after the other.
    const guess = JSON.stringify({
      type: "set",
      settings: { brands: { GUESS: { numbers: "^4200", begins: "4200" } }, brand: "GUESS" },
    });
    await street.page().evaluate(`frames[0].postMessage(${guess}, "*")`);
    await expect.poll(() => street.page().evaluate("heard.filter(({ type }) => type === 'answer').length")).toBe(2);
    const reachable = await street.page().evaluate(`JSON.stringify([
      document.documentElement.outerHTML,
      [...document.querySelectorAll("input, select")].map(({ value }) => value),
      Object.keys(window).filter((name) => name !== "heard").map((name) => { try { return String(JSON.stringify(window[name])); } catch { return ""; } }),
      heard,
    ])`);
    await street.page().evaluate(`frames[0].postMessage({ type: "set", settings: { brands: ["VISA"] } }, "*")`);
    expect(reachable).toContain("Jane Jones");
    for (const secret of [PAN, "4200 0000", "0000 0000", "GUESS"]) expect(reachable).not.toContain(secret);
    // By itself: random ids hold any three digits.
    expect(reachable).not.toMatch(/(?<![0-9A-Za-z.])987(?![0-9A-Za-z])/);
    for (const at of [0, 1])
      expect(
        await street
          .page()
          .evaluate(`(() => { try { return frames[${at}].document.title; } catch { return "refused"; } })()`),
      ).toBe("refused");
    await form.pay.click();
    expect((await street.back()).result.code).toBe(APPROVED);
  });

  test("is shown what is wrong, beside each field, and can put it right", async () => {
    await street.visit();
    const { number, cvv, expiry, holder, pay } = hostedForm(street.page());
    await holder.fill("R2D2");
    await expiry.pressSequentially("0120");
    await number.pressSequentially("4200000000000001");
    await pay.click();
    for (const name of ["cardNumber", "expiryMonth", "cardHolder", "cvv"])
      await street.page().locator(`.wpwl-hint-${name}Error`).waitFor();
    expect(await street.page().locator(".wpwl-has-error").count()).toBe(4);
    expect(await expiry.getAttribute("aria-invalid")).toBe("true");
    expect(
      await street
        .page()
        .locator(`[id="${await expiry.getAttribute("aria-describedby")}"]`)
        .textContent(),
    ).toContain("expiry");
    expect(await number.getAttribute("aria-invalid")).toBe("true");
    expect(await street.page().frameLocator("iframe[name='card.number']").locator("input:focus").count()).toBe(1);
    expect(street.shop.returned).toEqual([]);
    await number.press("Backspace");
    await number.press("0");
    expect(await number.inputValue()).toBe("4200 0000 0000 0000");
    expect(await number.getAttribute("aria-invalid")).toBeNull();
    await expiry.fill("12 / 34");
    await holder.fill("");
    await cvv.pressSequentially("123");
    await pay.click();
    expect((await street.back()).result.code).toBe(APPROVED);
  });

  test("has his expiry date understood however he writes it", async () => {
    await street.visit();
    const { expiry } = hostedForm(street.page());
    const shown: string[] = [];
    const written = [
      "5/34",
      "534",
      "0534",
      "05/2034",
      "05 - 34",
      "1/34",
      "1 / 2034",
      "134",
      "12.34",
      "\u0660\u0665\u0663\u0664",
      "\uff10\uff15\uff13\uff14",
    ];
    for (const text of written) {
      await expiry.fill("");
      await expiry.pressSequentially(text);
      shown.push(await expiry.inputValue());
    }
    const [may, january] = ["05 / 34", "01 / 34"];
    expect(shown).toEqual([may, may, may, "05 / 2034", may, january, "01 / 2034", january, "12 / 34", may, may]);
  });

  test("may paste his number with blanks, and cannot give it a brand that it has not", async () => {
    await street.visit({
      options: `{ autofocus: "card.number", iframeStyles: { "card-number": { "color": "rgb(1, 2, 3)", "text-indent": "-99em" } } }`,
    });
    const { number, cvv, expiry, pay } = hostedForm(street.page());
    const brand = street.page().locator(".wpwl-control-brand");
    await expect.poll(() => number.evaluate("document.activeElement?.tagName")).toBe("INPUT");
    await street.page().keyboard.insertText([..."\u06f4200000000000000"].join(" "));
    expect(await number.inputValue()).toBe("4200 0000 0000 0000");
    const look = await number.evaluate("document.querySelector('input').style.cssText");
    expect(look).toContain("color: rgb(1, 2, 3)");
    expect(look).not.toContain("text-indent");
    await brand.selectOption("MASTER");
    await expect.poll(() => brand.inputValue()).toBe("VISA");
    await expiry.fill("1/34");
    await cvv.pressSequentially("123");
    await pay.click();
    expect(await street.back()).toMatchObject({
      result: { code: APPROVED },
      paymentBrand: "VISA",
      card: { expiryMonth: "01", expiryYear: "2034" },
    });
  });

  test("comes back by the browser's own button to a page that was kept as it was, and pays", async () => {
    await street.visit();
    const form = hostedForm(street.page());
    await form.type();
    await street.page().route("**/payment", (route) => route.abort("aborted"));
    const gone = street.page().waitForEvent("requestfailed");
    await form.pay.click();
    await gone;
    expect(await form.pay.isDisabled()).toBe(true);
    await street.page().unroute("**/payment");
    await street.page().evaluate(`dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }))`);
    await form.pay.click();
    expect((await street.back()).result.code).toBe(APPROVED);
  });

  test("comes back with a decline too, and after the shop has read it goes back to the form and pays with another card", async () => {
    await street.visit();
    const form = hostedForm(street.page());
    await form.type({ number: "4000000000000002" });
    await form.cvv.press("Enter");
    expect((await street.back()).result.code).toBe("800.100.152");
    street.shop.returned.length = 0;
    await street.page().goBack();
    // The browser has remembered what is no secret.
    await form.expiry.fill("");
    await form.holder.fill("");
    await form.type();
    await form.pay.click();
    expect((await street.back()).result.code).toBe(APPROVED);
  });

  test("has his card's brand found by its number, and no other brand taken", async () => {
    await street.visit({
      brands: "VISA MASTER",
      options: "{ brandDetection: true, onDetectBrand(brands) { (window.found ??= []).push(brands[0]); } }",
    });
    const { number, pay } = hostedForm(street.page());
    await number.pressSequentially("545454");
    await street.page().locator(".wpwl-brand-MASTER.wpwl-brand-selected").waitFor();
    expect(await street.page().evaluate("found")).toEqual(["MASTER"]);
    expect(await street.page().locator(".wpwl-control-brand").inputValue()).toBe("MASTER");
    await number.fill("375987000000005");
    await pay.click();
    await street.page().locator(".wpwl-hint-cardNumberError").waitFor();
  });
});

describe("a merchant's page", () => {
  test("may have a strict policy of which every directive is needed", async () => {
    const needed = neededPolicy(street.shop.gateway, street.shop.url);
    const violations = async (policy: string): Promise<readonly string[]> => {
      const seen: string[] = [];
      const violated = Promise.withResolvers<void>();
      const heard = (text: string): void => {
        const [, directive] = /directive: "([a-z-]+)/.exec(text) ?? [];
        if (directive === undefined) return;
        seen.push(directive);
        violated.resolve();
      };
      await street.visit({ policy, brands: "VISA PAYPAL", heard });
      const button = street.page().locator(".wpwl-form-virtualAccount .wpwl-button-pay");
      if ((await button.count()) > 0) await button.click({ noWaitAfter: true });
      await Promise.race([violated.promise, street.page().waitForURL(`${street.shop.gateway}/**`)]);
      await street.page().close();
      return seen;
    };
    expect(await violations(policyOf(needed))).toEqual([]);
    for (const name of ["script-src", "style-src", "img-src", "frame-src"]) {
      const { [name]: _, ...others } = needed;
      expect(
        await violations(policyOf({ ...others, ...(name === "script-src" && { [name]: "'nonce-shop'" }) })),
        name,
      ).toContain(name === "script-src" ? name : "default-src");
    }
    expect(await violations(policyOf({ ...needed, "form-action": "'self'" }))).toContain("form-action");
  });

  test("runs no script of which the hash is another", async () => {
    const { id } = await street.shop.checkout({ amount: "12.34", currency: "EUR", paymentType: "DB" });
    const other = await street.shop.checkout({
      amount: "12.34",
      currency: "EUR",
      paymentType: "DB",
      integrity: "true",
    });
    await street.look({ checkoutId: id, integrity: other.integrity });
    expect(await street.page().locator(".wpwl-form").count()).toBe(0);
  });

  test("may refuse what the shopper entered, until it is satisfied", async () => {
    const options = `{
      onBeforeSubmitCard() {
        const holder = document.querySelector(".wpwl-control-cardHolder");
        if (holder.value.trim().length >= 2) return true;
        holder.insertAdjacentHTML("afterend", "<div class='wpwl-hint wpwl-hint-cardHolderError'>Who are you?</div>");
        return false;
      },
    }`;
    await street.visit({ options });
    const form = hostedForm(street.page());
    await form.type({ holder: " " });
    await form.pay.click();
    await street.page().getByText("Who are you?").waitFor();
    expect(street.page().url()).toBe(`${street.shop.url}/`);
    await form.holder.fill("Jane Jones");
    expect(await street.page().getByText("Who are you?").count()).toBe(0);
    await form.pay.click();
    expect((await street.back()).card).toMatchObject({ holder: "Jane Jones" });
  });

  test("may put fields of its own into the form", async () => {
    const html = `<input type="checkbox" name="createRegistration" value="true" checked><input name="customParameters[SHOPPER_note]" value="as a gift">`;
    await street.visit({
      options: `{ onReady() { document.querySelector("form.wpwl-form-card .wpwl-button").insertAdjacentHTML("beforebegin", ${JSON.stringify(html)}); } }`,
    });
    const form = hostedForm(street.page());
    await form.type();
    await form.pay.click();
    expect(await street.back()).toMatchObject({
      registrationId: expect.stringMatching(/^[0-9a-f]{32}$/),
      customParameters: { SHOPPER_note: "as a gift" },
    });
  });

  test("may leave out the security code of cards that need none", async () => {
    await street.visit({
      brands: "MAESTRO",
      options: "{ requireCvv: false, showLabels: false, showPlaceholders: false }",
    });
    const { number, cvv, expiry, pay } = hostedForm(street.page());
    await number.pressSequentially("6759649826438453");
    await expiry.pressSequentially("1234");
    expect([await cvv.isVisible(), await expiry.getAttribute("placeholder")]).toEqual([false, null]);
    await pay.click();
    expect(await street.back()).toMatchObject({ result: { code: APPROVED }, paymentBrand: "MAESTRO" });
  });

  test("may load the script when it pleases, and stand in a frame itself", async () => {
    const { id } = await street.shop.checkout({ amount: "12.34", currency: "EUR", paymentType: "DB" });
    const source = JSON.stringify(`${street.shop.gateway}/v1/paymentWidgets.js?checkoutId=${id}`);
    street.shop.show({
      html: `<form action="${street.shop.url}/result" class="paymentWidgets" data-brands="VISA"></form>`,
    });
    await street.open();
    await street.page().setContent(`<iframe id="shop" src="${street.shop.url}" width="600" height="700"></iframe>`);
    const [, frame] = street.page().frames();
    await frame?.waitForLoadState();
    await frame?.evaluate(`document.body.append(Object.assign(document.createElement("script"), { src: ${source} }))`);
    const form = hostedForm(street.page().frameLocator("#shop"));
    await form.type();
    await form.pay.click();
    await frame?.waitForURL(`${street.shop.url}/result?**`);
    await frame?.locator("#result").waitFor();
    expect(street.shop.returned.map(({ status }) => status.result.code)).toEqual([APPROVED]);
  });

  test("may say every word otherwise, and start and end the form itself", async () => {
    await street.visit({
      options: `{ labels: { submit: "Go", cardHolder: "Who" }, errorMessages: { cvvError: "No such code" } }`,
    });
    const form = hostedForm(street.page());
    expect(await form.pay.textContent()).toBe("Go");
    await street.page().evaluate(`wpwl.executePayment("wpwl-container-card")`);
    await street.page().getByText("No such code").waitFor();
    await street.page().evaluate("wpwl.unload()");
    expect(await street.page().locator(".wpwl-form, link[data-wpwl]").count()).toBe(0);
  });

  test("has labels for every field, in the order in which the tabulator goes, and room for all of it on a phone", async () => {
    await street.visit({ width: 320, brands: "VISA MASTER AMEX DINERS DISCOVER JCB MAESTRO DIRECTDEBIT_SEPA PAYPAL" });
    const { number, cvv } = hostedForm(street.page());
    await number.waitFor();
    expect(await street.page().evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
    for (const [locator, autocomplete] of [
      [number, "cc-number"],
      [cvv, "cc-csc"],
    ] as const) {
      expect([await locator.getAttribute("autocomplete"), await locator.getAttribute("inputmode")]).toEqual([
        autocomplete,
        "numeric",
      ]);
    }
    const order: unknown[] = [];
    await street.page().locator(".wpwl-form-card .wpwl-control-brand").focus();
    for (let at = 0; at < 6; at += 1) {
      order.push(await street.page().evaluate("document.activeElement.name"));
      await street.page().keyboard.press("Tab");
    }
    expect(order).toEqual(["paymentBrand", "card.number", "card.expiry", "card.holder", "card.cvv", "pay"]);
    for (const label of ["Card type", "Expiry date", "Card holder", "IBAN"])
      expect(await street.page().getByLabel(label, { exact: true }).count()).toBe(1);
    expect([await number.getAttribute("aria-label"), await cvv.getAttribute("aria-label")]).toEqual([
      "Card number",
      "Security code (CVV)",
    ]);
  });

  test("may have several forms, each with its brands and its own place to go back to", async () => {
    const { id } = await street.shop.checkout({ amount: "12.34", currency: "EUR", paymentType: "DB" });
    const form = (brands: string, place: string): string =>
      `<form action="${street.shop.url}/${place}" class="paymentWidgets" data-brands="${brands}"></form>`;
    const script = `<script src="${street.shop.gateway}/v1/paymentWidgets.js?checkoutId=${id}"></script>`;
    street.shop.show({
      html: `<!doctype html>${script}${form("VISA", "elsewhere")}${form("MASTER PAYPAL", "result")}`,
    });
    await street.open({ width: 390 });
    const second = hostedForm(street.page(), ".wpwl-form-card >> nth=1");
    await second.type({ number: "5454545454545454" });
    await second.pay.dblclick();
    expect(await street.back()).toMatchObject({ result: { code: APPROVED }, paymentBrand: "MASTER" });
    expect(street.shop.sandbox.ledger().filter(({ checkoutId }) => checkoutId === id)).toHaveLength(1);
  });

  test("is written from right to left in Arabic, but for the numbers", async () => {
    await street.visit({ options: `{ locale: "ar" }` });
    expect(await street.page().locator(".wpwl-form-card").getAttribute("dir")).toBe("rtl");
    const boxes = await Promise.all(
      [".wpwl-group-expiry", ".wpwl-group-cardHolder"].map((group) => street.page().locator(group).boundingBox()),
    );
    expect(boxes[0]?.x).toBeGreaterThan(boxes[1]?.x ?? 0);
    const form = hostedForm(street.page());
    expect(await form.pay.textContent()).toBe("ادفع الآن");
    await form.type({ holder: "ليلى حداد" });
    expect(await form.number.inputValue()).toBe("4200 0000 0000 0000");
    await form.pay.click();
    expect((await street.back()).card).toMatchObject({ holder: "ليلى حداد" });
  });
});
