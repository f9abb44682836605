import { execFileSync } from "node:child_process";
import { hash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { resultAddress } from "../../../packages/sandbox/gateway/checkouts/result-location.ts";
import { languageCodeSchema, languages } from "../../../packages/sandbox/gateway/checkouts/widget/languages.ts";
import { frames, widgetBrands, widgetScript } from "../../../packages/sandbox/gateway/checkouts/widget-script.ts";
import type { Reply } from "../../../packages/sandbox/gateway/exchange.ts";
import { CARD, type CheckoutBench, checkoutBench, SALE } from "./checkouts-bench.ts";

const codes = languageCodeSchema.options;

async function fetched({ raw }: CheckoutBench, path: string): Promise<Reply> {
  const handled = await raw("GET", path, "", {});
  if (handled.is !== "reply") throw new Error("the connection was cut");
  return handled;
}

const scriptAt = (id: string): string => `/v1/paymentWidgets.js?checkoutId=${id}`;

describe("the script of the hosted form", () => {
  test("is what its hash says, also after an update of the money", async () => {
    const bench = checkoutBench();
    const { body } = await bench.create({ ...SALE, integrity: "true" });
    const served = async () =>
      `sha384-${hash("sha384", (await fetched(bench, scriptAt(body.id ?? ""))).body, "base64")}`;
    expect(body).toMatchObject({ integrity: await served() });
    await bench.update(body.id ?? "", { amount: "99.00" });
    expect(body).toMatchObject({ integrity: await served() });
  });

  test("has another hash with other tokens, which the update tells", async () => {
    const bench = checkoutBench();
    const { "card.cvv": _, ...card } = CARD;
    const { id: token = "" } = (await bench.send("/v1/registrations", card)).body;
    const { body } = await bench.create({ ...SALE, integrity: "true" });
    const update = await bench.update(body.id ?? "", { "registrations[0].id": token, integrity: "true" });
    const { body: script } = await fetched(bench, scriptAt(body.id ?? ""));
    expect(update.body).toMatchObject({ integrity: `sha384-${hash("sha384", script, "base64")}` });
    expect(script).toContain(
      JSON.stringify({
        id: token,
        brand: "VISA",
        isCard: true,
        number: "\u2022\u2022\u2022\u2022 0000",
        holder: "Jane Jones",
        expiry: "12 / 34",
      }),
    );
    await bench.remove(token);
    expect((await fetched(bench, scriptAt(body.id ?? ""))).body).toBe(script);
  });

  test("shows stored accounts of every kind without their numbers", async () => {
    const bench = checkoutBench();
    const iban = {
      paymentBrand: "DIRECTDEBIT_SEPA",
      "bankAccount.holder": "Jane Jones",
      "bankAccount.iban": "DE89370400440532013000",
    };
    const accounts = [iban, { paymentBrand: "PAYPAL", "virtualAccount.accountId": "jane@shop.example" }];
    const tokens = await Promise.all(
      accounts.map(async (account) => (await bench.send("/v1/registrations", account)).body),
    );
    expect(tokens.map(({ result }) => result.code)).toEqual(["000.100.110", "000.100.110"]);
    // Index 10 comes after 9, wherever it stands in the form.
    const named = Object.fromEntries(tokens.map(({ id = "" }, at) => [`registrations[${10 - at}].id`, id]));
    const { body: script } = await fetched(bench, scriptAt(await bench.checkout({ ...SALE, ...named })));
    expect(script).toContain('"brand":"DIRECTDEBIT_SEPA","isCard":false');
    expect(script).toContain('"brand":"PAYPAL","isCard":false,"number":"jane@shop.example"');
    expect(script.indexOf('"brand":"PAYPAL"')).toBeLessThan(script.indexOf('"brand":"DIRECTDEBIT_SEPA"'));
    expect(script).not.toContain("370400440532013000");
  });

  test("may be loaded by pages of any origin", async () => {
    const bench = checkoutBench();
    const { status, headers } = await fetched(bench, scriptAt(await bench.checkout()));
    expect({ status, headers }).toMatchObject({
      status: 200,
      headers: { "content-type": "text/javascript; charset=utf-8", "access-control-allow-origin": "*" },
    });
    expect(bench.sandbox.isForShoppers("GET", "/v1/paymentWidgets.js?checkoutId=x")).toBe(true);
  });

  test.each([
    ["without a checkout", "/v1/paymentWidgets.js", "checkoutId"],
    ["of no id", "/v1/paymentWidgets.js?checkoutId=1", "checkoutId"],
    [
      "of a checkout that is not there",
      `/v1/paymentWidgets.js?checkoutId=${"0".repeat(32)}`,
      "no payment session found",
    ],
  ])("is not served %s", async (_, path, text) => {
    expect(await fetched(checkoutBench(), path)).toMatchObject({ status: 400, body: expect.stringContaining(text) });
  });

  test("is served under the address of what it is for", async () => {
    const bench = checkoutBench();
    const [sale, stored] = [await bench.checkout(), await bench.checkout({ createRegistration: "true" })];
    expect((await fetched(bench, scriptAt(`${stored}/registration`))).status).toBe(200);
    expect((await fetched(bench, scriptAt(`${sale}/registration`))).status).toBe(400);
  });

  test("is sound JavaScript of a browser, and so is that of its frames", () => {
    const folder = mkdtempSync(join(tmpdir(), "posbridge-widget-"));
    try {
      writeFileSync(join(folder, "page.d.ts"), "declare var wpwlOptions;\ninterface Window { wpwl }\n");
      writeFileSync(join(folder, "widget.js"), widgetScript({ id: "A", kind: "payment", offered: [], parameters: {} }));
      writeFileSync(join(folder, "frame.js"), frames.script);
      const options =
        "--ignoreConfig --noEmit --allowJs --checkJs --target es2023 --lib es2024,dom,dom.iterable --noImplicitAny false --strictNullChecks false --noUnusedLocals".split(
          " ",
        );
      const files = ["page.d.ts", "widget.js", "frame.js"].map((name) => join(folder, name));
      const run = () =>
        execFileSync(
          process.execPath,
          [resolve("node_modules/typescript/bin/tsc"), ...options, "--types", "", ...files],
          { encoding: "utf8" },
        );
      expect(problemsOf(run)).toBe("");
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

function problemsOf(run: () => string): string {
  try {
    return run();
  } catch (error) {
    return error instanceof Error && "stdout" in error ? String(error.stdout) : String(error);
  }
}

describe("the languages of the hosted form", () => {
  test.each(codes)("%s says everything in words of its own", (code) => {
    const { labels, errors, direction } = languages[code];
    expect(labels.continueTo).toContain("{brand}");
    expect(labels.expiryPlaceholder).toMatch(/^\S+ \/ \S+$/);
    expect(direction).toBe(code === "ar" ? "rtl" : "ltr");
    const english = new Map(Object.entries({ ...languages.en.labels, ...languages.en.errors }));
    const same = Object.entries({ ...labels, ...errors }).filter(([name, text]) => english.get(name) === text);
    // An IBAN is called so everywhere, and some languages begin month and year with the same letters.
    const shared = same.map(([name]) => name).filter((name) => name !== "accountIban");
    expect(shared).toEqual(code === "en" ? [...english.keys()].filter((name) => name !== "accountIban") : []);
  });
});

describe("what the form is made of", () => {
  test.each(["card.css", "plain.css", "visa.svg", "directdebit-sepa.svg", "paypal.svg"])(
    "%s is there for any page",
    async (file) => {
      expect(await fetched(checkoutBench(), `/v1/paymentWidgets/${file}`)).toMatchObject({
        status: 200,
        headers: { "access-control-allow-origin": "*" },
      });
    },
  );

  test("has a picture for every brand", async () => {
    const bench = checkoutBench();
    for (const brand of Object.keys(widgetBrands)) {
      const { status, body } = await fetched(
        bench,
        `/v1/paymentWidgets/${brand.toLowerCase().replaceAll("_", "-")}.svg`,
      );
      expect([brand, status, body.slice(0, 4)]).toEqual([brand, 200, "<svg"]);
    }
  });

  test.each(["card.number", "card.cvv"])("the frame of %s runs its own script and nothing else", async (name) => {
    const bench = checkoutBench();
    const { status, headers, body } = await fetched(bench, `/v1/checkouts/${await bench.checkout()}/fields/${name}`);
    expect(status).toBe(200);
    expect(body).toContain(`<input name="${name}"`);
    const [, script = ""] = /<script>([\s\S]*)<\/script>/.exec(body) ?? [];
    const [, style = ""] = /<style>([\s\S]*)<\/style>/.exec(body) ?? [];
    for (const text of [script, style])
      expect(headers["content-security-policy"]).toContain(`'sha256-${hash("sha256", text, "base64")}'`);
    expect(headers["content-security-policy"]).toMatch(/^default-src 'none'; /);
  });

  test.each(["/v1/paymentWidgets/nothing.css", "/v1/checkouts/ID/fields/card.pin"])("%s is not there", async (path) => {
    const bench = checkoutBench();
    expect((await fetched(bench, path.replace("ID", await bench.checkout()))).status).toBe(404);
  });

  test("has no field of a checkout that is over", async () => {
    expect((await fetched(checkoutBench(), `/v1/checkouts/${"0".repeat(32)}/fields/card.number`)).status).toBe(400);
  });
});

describe("the address that a shopper goes back to", () => {
  test.each([
    ["https://shop.example/r", "https://shop.example/r?id=I&resourcePath=%2Fp"],
    ["https://shop.example/r?", "https://shop.example/r?id=I&resourcePath=%2Fp"],
    ["https://shop.example/r?a=%20b&c", "https://shop.example/r?a=%20b&c&id=I&resourcePath=%2Fp"],
    ["https://shop.example/r#top", "https://shop.example/r?id=I&resourcePath=%2Fp#top"],
    ["https://shöp.example/ü", "https://xn--shp-tna.example/%C3%BC?id=I&resourcePath=%2Fp"],
    ["https%3A%2F%2Fshop.example%2Fr", "https://shop.example/r?id=I&resourcePath=%2Fp"],
    ["com.shop.app://paid", "com.shop.app://paid?id=I&resourcePath=%2Fp"],
    ["%E0%A4%A", undefined],
    ["nowhere", undefined],
  ])("%s gets id and resourcePath", (address, expected) => {
    expect(resultAddress(address, "I", "/p")).toBe(expected);
  });
});
