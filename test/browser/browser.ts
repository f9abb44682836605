import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, chromium, type FrameLocator, type Locator, type Page } from "playwright-core";
import { onTestFinished } from "vitest";

const CHROMIUM = "/usr/bin/chromium";

/** How a browser differs from a usual one. */
export interface BrowserSettings {
  readonly args?: readonly string[];
  /** The home folder, with the certificates that its user trusts. */
  readonly home?: string;
  /** A file of managed policies, in place of those of this machine. Takes root. */
  readonly policy?: string;
}

/**
 * Debian's Chromium without a window and without a network of its own. Throws where it is not installed: a browser test
 * that is left out has tested nothing.
 */
export function openBrowser({ args = [], home, policy }: BrowserSettings = {}): Promise<Browser> {
  if (!existsSync(CHROMIUM)) throw new Error(`${CHROMIUM} is not there: .ci/chromium-packages installs it`);
  const quiet = [
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
  ];
  return chromium.launch({
    executablePath: policy === undefined ? CHROMIUM : managed(policy),
    args: ["--no-sandbox", "--disable-gpu", ...quiet, ...args],
    ...(home !== undefined && { env: { ...process.env, HOME: home } }),
  });
}

/** Starts Chromium in a mount namespace of its own, in which this policy is the machine's. No other browser sees it. */
function managed(policy: string): string {
  const folder = mkdtempSync(join(tmpdir(), "posbridge-policies-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const policies = join(folder, "chromium/policies/managed");
  mkdirSync(policies, { recursive: true });
  copyFileSync(policy, join(policies, "posbridge.json"));
  const program = join(folder, "chromium.sh");
  const inside = `mount --bind ${join(folder, "chromium")} /etc/chromium && exec ${CHROMIUM} "$@"`;
  writeFileSync(program, `#!/bin/sh\nexec unshare --mount sh -c '${inside}' sh "$@"\n`, { mode: 0o700 });
  return program;
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
