import { existsSync } from "node:fs";
import { type Browser, chromium, type FrameLocator, type Locator, type Page } from "playwright-core";

const CHROMIUM = "/usr/bin/chromium";

/**
 * Debian's Chromium without a window and without a network of its own. Throws where it is not installed: a browser test
 * that is left out has tested nothing.
 */
export function openBrowser(): Promise<Browser> {
  if (!existsSync(CHROMIUM)) throw new Error(`${CHROMIUM} is not there: .ci/chromium-packages installs it`);
  const quiet = [
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
  ];
  return chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox", "--disable-gpu", ...quiet] });
}

export interface CardEntry {
  readonly number?: string;
  readonly expiry?: string;
  readonly holder?: string;
  readonly cvv?: string;
}

/** What a shopper sees of the hosted form, and what he does with it. */
export interface HostedForm {
  readonly number: Locator;
  readonly cvv: Locator;
  readonly expiry: Locator;
  readonly holder: Locator;
  readonly pay: Locator;
  /** Types a card, key by key, as people do. */
  type(card?: CardEntry): Promise<void>;
}

export function hostedForm(page: Page | FrameLocator, form = ".wpwl-form-card"): HostedForm {
  const shown = page.locator(form);
  const frame = (name: string): FrameLocator => shown.frameLocator(`iframe[name="${name}"]`);
  const number = frame("card.number").locator("input");
  const cvv = frame("card.cvv").locator("input");
  const expiry = shown.locator(".wpwl-control-expiry");
  const holder = shown.locator(".wpwl-control-cardHolder");
  return {
    ...{ number, cvv, expiry, holder, pay: shown.locator(".wpwl-button-pay") },
    async type(card = {}) {
      await number.pressSequentially(card.number ?? "4200000000000000");
      await expiry.pressSequentially(card.expiry ?? "1234");
      await holder.pressSequentially(card.holder ?? "Jane Jones");
      await cvv.pressSequentially(card.cvv ?? "123");
    },
  };
}
