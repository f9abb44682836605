/** What a merchant's page says of the hosted form. */
export interface MerchantPage {
  readonly gateway: string;
  readonly shop: string;
  readonly checkoutId: string;
  readonly brands?: string;
  /** The source of wpwlOptions. */
  readonly options?: string;
  readonly integrity?: string | undefined;
  /** "" for a form without an action. */
  readonly action?: string;
}

/**
 * As the gateway's public guides have it: the script, and a form that says where to go afterwards and what to offer.
 */
export function merchantPage({
  gateway,
  shop,
  checkoutId,
  brands = "VISA MASTER AMEX",
  options = "{}",
  integrity,
  action = `${shop}/result`,
}: MerchantPage): string {
  const checked = integrity === undefined ? "" : ` integrity="${integrity}" crossorigin="anonymous"`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Shop</title>
<script nonce="shop">const wpwlOptions = ${options};</script>
<script src="${gateway}/v1/paymentWidgets.js?checkoutId=${checkoutId}"${checked}></script>
</head>
<body><form action="${action}" class="paymentWidgets" data-brands="${brands}"></form></body>
</html>`;
}

/**
 * What a merchant's page needs of its Content-Security-Policy for the hosted form, directive by directive. The nonce is
 * for the page's own script.
 */
export function neededPolicy(gateway: string, shop: string): Readonly<Record<string, string>> {
  return {
    "default-src": "'none'",
    "script-src": `'nonce-shop' ${gateway}`,
    "style-src": gateway,
    "img-src": gateway,
    "frame-src": gateway,
    "form-action": `${gateway} ${shop}`,
    "base-uri": "'none'",
  };
}

export function policyOf(directives: Readonly<Record<string, string>>): string {
  return Object.entries(directives)
    .map(([name, sources]) => `${name} ${sources}`)
    .join("; ");
}
