import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { testCards } from "../../../packages/sandbox/gateway/accounts/test-cards.ts";
import { asynchronousMethods } from "../../../packages/sandbox/gateway/asynchronous/methods.ts";
import { endpoints } from "../../../packages/sandbox/gateway/endpoints.ts";
import { html, isSafeAddress, pageReply, seeOther } from "../../../packages/sandbox/gateway/html.ts";
import { MAGIC_AMOUNTS } from "../../../packages/sandbox/gateway/ledger/magic-amounts.ts";
import { testDataLines } from "../../../packages/sandbox/gateway/test-data.ts";
import { linkOf, redirectOf, shopperBench } from "./asynchronous-bench.ts";
import { ENTITY } from "./simulated-till.ts";

/** Text with everything that means something in HTML, in any order. */
const hostileText = fc
  .array(
    fc.constantFrom(
      "<",
      ">",
      '"',
      "'",
      "&",
      "`",
      "=",
      "/",
      "-",
      "a",
      " ",
      "\u202e",
      "\u0000",
      "<script>",
      "-->",
      "&lt;",
      "</title>",
      "javascript:",
    ),
    {
      maxLength: 20,
    },
  )
  .map((parts) => parts.join(""));

describe("a page", () => {
  test("shows text from outside as text, wherever it stands", () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const { markup } = html`<p title="${text}">${text}</p>`;
        expect(markup).toMatch(/^<p title="[^<>"']*">[^<>"']*<\/p>$/);
        expect(markup).not.toMatch(/&(?!(?:amp|lt|gt|quot|#39);)/);
        expect(markup).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
      }),
    );
  });

  test("puts markup and lists of it together as they are, and leaves out what is not there", () => {
    expect(html`<ul>${["a", "<b>"].map((item) => html`<li>${item}</li>`)}${undefined}${false}${3}</ul>`.markup).toBe(
      "<ul><li>a</li><li>&lt;b&gt;</li>3</ul>",
    );
  });

  test("runs no script, loads nothing, and cannot be framed by others unless it says so", () => {
    const { headers } = pageReply({ title: "A page", body: html`<p>Text</p>` });
    expect(headers["content-security-policy"]).toMatch(
      /^default-src 'none'; style-src 'sha256-[A-Za-z0-9+/]{43}='; base-uri 'none'; form-action 'self'; frame-ancestors 'none'$/,
    );
    expect(headers).toMatchObject({ "content-type": "text/html; charset=utf-8", "x-content-type-options": "nosniff" });
  });

  test("whose form comes out at a shop is not held to this gateway, because a shop may send its shopper on to anywhere", () => {
    const { headers } = pageReply({ title: "A page", body: html``, leadsAway: true });
    expect(headers["content-security-policy"]).not.toContain("form-action");
  });

  test.each([
    ["https://shop.example/", true],
    ["com.shop.app://done", true],
    ["/shopper/link/1", true],
    ["//elsewhere.example/", false],
    ["/\\elsewhere.example/", false],
    ["javascript://%0Aalert(1)", false],
    ["java\tscript:alert(1)", false],
    ["data:text/html,x", false],
    ["not an address", false],
  ])("may send a browser to %s: %s", (address, safe) => {
    expect(isSafeAddress(address)).toBe(safe);
    expect(seeOther(address, () => pageReply({ title: "Here", body: html`` })).status).toBe(safe ? 303 : 200);
  });
});

test("the page of a bank and that of a challenge show what a merchant sent as text", async () => {
  const hostile = hostileText.map((text) => `x${text.replaceAll("\u0000", "")}<img src=x>`);
  await fc.assert(
    fc.asyncProperty(hostile, hostile, async (merchant, item) => {
      const own = shopperBench();
      const fields = { "merchant.name": merchant, "cart.items[0].name": item, descriptor: item };
      for (const ordered of [await own.order(fields), await own.orderByCard(fields)]) {
        const { status, body } = await own.open(linkOf(redirectOf(ordered)));
        expect(status).toBe(200);
        expect(body).toContain("&lt;img");
        expect(body).not.toMatch(/<img|<script|<\/title>.*<\/title>/s);
      }
    }),
    { numRuns: 20 },
  );
});

describe("the front page", () => {
  const browser = { accept: "text/html,application/xhtml+xml,*/*;q=0.8", host: "127.0.0.1:7718" };

  test("is a page for a browser and plain text for everybody else", async () => {
    const { raw } = shopperBench();
    for (const accept of [undefined, "*/*", "application/json"]) {
      const text = await raw("GET", "/", "", { ...(accept !== undefined && { accept }) });
      expect(text).toMatchObject({ status: 200, headers: { "content-type": "text/plain; charset=utf-8" } });
    }
    expect(await raw("GET", "/", "", browser)).toMatchObject({
      status: 200,
      headers: { "content-type": "text/html; charset=utf-8", vary: "accept" },
    });
  });

  test.each([["text", {}] as const, ["page", browser] as const])(
    "lists as a %s everything that can be tried",
    async (_, headers) => {
      const handled = await shopperBench().raw("GET", "/", "", headers);
      const body = handled.is === "reply" ? handled.body : "";
      const listed = [
        ...[
          ENTITY,
          "visa-contact",
          "hide-from-query",
          "posbridge sandbox webhooks add",
          "paymentWidgets.js?checkoutId=",
        ],
        ...MAGIC_AMOUNTS.map(({ minor }) => (minor / 100).toFixed(2)),
        ...testCards.map(({ number }) => number),
        ...asynchronousMethods.map(({ brand }) => brand),
        ...endpoints.map(({ method, path }) => `${method} ${path}`),
      ];
      expect(listed.filter((part) => !body.includes(part))).toEqual([]);
    },
  );

  test("and the help of the command show the same lists", () => {
    const lines = testDataLines();
    for (const part of ["9300.01", "4200000000000042", "IDEAL", "code=1234", "hide-from-query"]) {
      expect(lines.some((line) => line.includes(part))).toBe(true);
    }
  });
});
