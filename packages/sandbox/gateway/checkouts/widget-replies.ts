import type { ParameterProblem, Sent } from "../../../../src/gateway/parameters/chapter.ts";
import type { Context } from "../context.ts";
import type { Call } from "../endpoint.ts";
import type { Reply } from "../exchange.ts";
import { bareReply } from "../replies.ts";
import { noSession, openCheckout, stampOfCheckout } from "./checkout.ts";
import { brandImage } from "./widget/brand-image.ts";
import { styleSheets } from "./widget/style.ts";
import { frames, widgetBrands, widgetScript } from "./widget-script.ts";

const NOT_FOUND = "200.300.404";

/** "ID", or "ID/registration" if an account is only stored. */
const ADDRESS = /^[A-Za-z0-9.-]{32,48}(?:\/(?:payment|registration))?$/;

/** Unknown parameters are ignored: a page builds this address. */
export function scriptProblems(sent: Sent): readonly ParameterProblem[] {
  const value = sent.get("checkoutId");
  if (value === undefined) return [{ name: "checkoutId", value: "", message: "may not be empty" }];
  return ADDRESS.test(value)
    ? []
    : [{ name: "checkoutId", value, message: "must be the id of a checkout, with /registration or without" }];
}

/** GET /v1/paymentWidgets.js: for pages of any origin, also with `integrity` and `crossorigin`. */
export function prepareScript(context: Context, { sent }: Call): Reply {
  const [id = "", kind] = (sent.get("checkoutId") ?? "").split("/");
  const checkout = openCheckout(context, id);
  if (checkout === undefined || (kind !== undefined && kind !== checkout.kind)) return noSession(context, id);
  return forAnyPage("text/javascript; charset=utf-8", widgetScript(checkout));
}

const images: ReadonlyMap<string, string> = new Map(
  Object.entries(widgetBrands).map(
    ([brand, { title }]) => [`${brand.toLowerCase().replaceAll("_", "-")}.svg`, brandImage(brand, title)] as const,
  ),
);
const styles: ReadonlyMap<string, string> = new Map(
  Object.entries(styleSheets).map(([name, style]) => [`${name}.css`, style] as const),
);

/** GET /v1/paymentWidgets/{file}: style sheets and brand images. */
export function prepareFile(context: Context, call: Call): Reply {
  const file = call.id("file");
  const style = styles.get(file);
  if (style !== undefined) return forAnyPage("text/css; charset=utf-8", style);
  const image = images.get(file);
  return image === undefined
    ? bareReply(404, NOT_FOUND, stampOfCheckout(context, file))
    : forAnyPage("image/svg+xml", image);
}

/** GET /v1/checkouts/{id}/fields/{field}: a page shows it in a frame, so that the card number never enters the page. */
export function prepareField(context: Context, call: Call): Reply {
  const id = call.id();
  const page = frames.page(call.id("field"));
  if (page === undefined) return bareReply(404, NOT_FOUND, stampOfCheckout(context, id));
  if (openCheckout(context, id) === undefined) return noSession(context, id);
  const headers = {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": frames.policy,
    "x-content-type-options": "nosniff",
  };
  return { is: "reply", status: 200, headers: { ...headers, "referrer-policy": "no-referrer" }, body: page };
}

function forAnyPage(type: string, body: string): Reply {
  const headers = {
    "content-type": type,
    "access-control-allow-origin": "*",
    "cross-origin-resource-policy": "cross-origin",
    "x-content-type-options": "nosniff",
  };
  return { is: "reply", status: 200, headers, body };
}
