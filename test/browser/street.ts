import type { Page } from "playwright-core";
import { openBrowser } from "./browser.ts";
import { merchantPage } from "./merchant-page.ts";
import { openShop, type Shop, type Status } from "./shop.ts";

/** What the merchant's page is to be, and how it is looked at. */
export interface Look {
  readonly checkoutId: string;
  readonly integrity?: string | undefined;
  readonly brands?: string;
  /** The source of wpwlOptions. */
  readonly options?: string;
  /** "" for a form without an action. */
  readonly action?: string;
  readonly policy?: string;
  /** In pixels: how wide the browser's window is. */
  readonly width?: number;
  /** Hears what the browser writes to its console. */
  readonly heard?: (text: string) => void;
}

export type Visit = Omit<Look, "checkoutId" | "integrity"> & { readonly fields?: Readonly<Record<string, string>> };

/** A shop, a gateway and a shopper with a browser, who is in one place at a time. */
export interface Street {
  readonly shop: Shop;
  page(): Page;
  /** He comes to a page of the shop that is made for a new checkout: 12.34 EUR unless said. */
  visit(visit?: Visit): Promise<Status & { readonly id: string }>;
  look(look: Look): Promise<void>;
  /** He opens the shop's page, whatever it is. */
  open(how?: Pick<Look, "width" | "heard">): Promise<void>;
  /** Waits until he is back at the shop, and tells what its server read then. */
  back(): Promise<Status>;
  leave(): Promise<void>;
  close(): Promise<void>;
}

export async function openStreet(): Promise<Street> {
  const [browser, shop] = await Promise.all([openBrowser(), openShop()]);
  const pages: Page[] = [];
  const page: Street["page"] = () => {
    const last = pages.at(-1);
    if (last === undefined) throw new Error("nobody has come to the shop");
    return last;
  };
  const look: Street["look"] = ({ policy, ...said }) => {
    shop.show({
      html: merchantPage({ ...said, gateway: shop.gateway, shop: shop.url }),
      ...(policy !== undefined && { policy }),
    });
    return open(said);
  };
  const open: Street["open"] = async ({ width = 900, heard } = {}) => {
    const opened = await browser.newPage({ viewport: { width, height: 900 } });
    pages.push(opened);
    opened.on("console", (message) => heard?.(message.text()));
    await opened.goto(shop.url);
  };
  return {
    ...{ shop, page, look, open },
    async visit({ fields = {}, ...more } = {}) {
      const checkout = await shop.checkout({
        amount: "12.34",
        currency: "EUR",
        paymentType: "DB",
        integrity: "true",
        ...fields,
      });
      await look({ ...more, checkoutId: checkout.id, integrity: checkout.integrity });
      return checkout;
    },
    async back() {
      await page().waitForURL(`${shop.url}/result?**`);
      await page().locator("#result").waitFor();
      const [returned] = shop.returned;
      if (returned === undefined || shop.returned.length > 1)
        throw new Error(`the shop was called ${shop.returned.length} times`);
      return returned.status;
    },
    async leave() {
      for (const left of pages.splice(0)) await left.close();
      shop.returned.length = 0;
    },
    async close() {
      await browser.close();
      await shop.close();
    },
  };
}
