/** Hosted form's script: the last part, which puts the forms into the page. */
export const startScript = String.raw`
/** Elements added to the page, for unload. */
const shownParts = [];

/** Fills every form of the page with the widgets of its brands. */
async function start() {
  options = optionsOfPage();
  language = languageOf(options.locale);
  texts = textsOf(language);
  const places = [...document.querySelectorAll("form.paymentWidgets")].filter((place) => place instanceof HTMLFormElement && !place.hidden);
  if (places.length === 0) return tellError("WidgetError", "the page has no form with the class paymentWidgets");
  if (options.style !== "none") addStyle(["plain", "card"].includes(options.style) ? options.style : "card");
  const forms = places.flatMap((place, at) => formsAt(place, at));
  await Promise.all(forms.flatMap((form) => (form.secure ?? []).map((field) => field.ready)));
  for (const field of secureFields) tell("onReadyIframeCommunication", field.frame);
  tell("onReady", forms.map(({ container }) => container.id));
  const focused = forms.map(({ form }) => form.querySelector("[name='" + CSS.escape(String(options.autofocus ?? "")) + "']")).find((control) => control !== null);
  // Focusing a frame does not focus its field.
  ([...secureFields].find(({ frame }) => frame === focused) ?? focused)?.focus();
}

/** Before the page's own styles, so that those take precedence. */
function addStyle(name) {
  const link = element("link", { rel: "stylesheet", href: base + "/v1/paymentWidgets/" + name + ".css", "data-wpwl": "style" });
  document.head.prepend(link);
  shownParts.push(link);
}

function formsAt(place, at) {
  const asked = [...new Set((place.dataset.brands ?? "").split(/\s+/))].filter((brand) => brand !== "");
  for (const brand of asked.filter((name) => !Object.hasOwn(brands, name))) tellError("WidgetError", brand + " is no brand of this gateway", { brand });
  const known = asked.filter((brand) => Object.hasOwn(brands, brand) && isOffered(brand));
  if (known.length === 0) tellError("WidgetError", "data-brands of the form names no brand that this checkout could be paid with");
  const resultUrl = place.getAttribute("action") ? place.action : "";
  const cards = known.filter((brand) => brands[brand].is === "card");
  const initial = [
    ...(cards.length === 0 ? [] : [cardForm(cards, resultUrl)]),
    ...known.filter((brand) => brands[brand].is === "directDebit").map((brand) => directDebitForm(brand, resultUrl)),
    ...known.filter((brand) => BEFORE_SUBMIT[brands[brand].is] !== undefined).map((brand) => brandForm(brand, resultUrl)),
  ];
  const stored = at === 0 && checkout.offered.length > 0 ? [storedForm(resultUrl)] : [];
  const others = stored.length > 0 && isOn(options.registrations?.hideInitialPaymentForms) ? [othersButton(initial)] : [];
  const parts = [...stored.map(({ container }) => container), ...others, ...initial.map(({ container }) => container)];
  place.after(...parts);
  place.hidden = true;
  shownParts.push(...parts);
  return [...stored, ...initial];
}

/** Among brands with pages of their own only PAYPAL has storable accounts. */
function isOffered(brand) {
  return checkout.kind === "payment" || brand === "PAYPAL" || ["card", "directDebit"].includes(brands[brand].is);
}

function othersButton(initial) {
  for (const { container } of initial) container.hidden = true;
  const button = element("button", { type: "button", class: "wpwl-button wpwl-button-other", "aria-expanded": "false" }, texts.showOtherPaymentMethods);
  button.addEventListener("click", () => {
    for (const { container } of initial) container.hidden = false;
    button.remove();
  });
  return element("div", { class: "wpwl-container wpwl-container-other" }, button);
}

/** For single-page applications: removes everything, so that another script can start. */
function unload() {
  for (const part of shownParts.splice(0)) part.remove();
  for (const field of [...secureFields]) field.remove();
  for (const place of document.querySelectorAll("form.paymentWidgets")) if (place instanceof HTMLFormElement) place.hidden = false;
}

window.wpwl?.unload?.();
window.wpwl = {
  checkout: { id: checkout.id },
  unload,
  /** Submits a form, by class or id of its container. */
  executePayment(container) {
    const form = document.querySelector("." + CSS.escape(container) + " form.wpwl-form, #" + CSS.escape(container) + " form.wpwl-form");
    if (form instanceof HTMLFormElement) form.requestSubmit();
    else tellError("WidgetError", "there is no form in " + container);
  },
};

if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
else start();
`;
