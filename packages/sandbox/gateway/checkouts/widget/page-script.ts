/**
 * Hosted form's script: the base of all other parts. Plain JavaScript for browsers, served unchanged; the other parts
 * of this folder follow in the same scope.
 */
export const pageScript = String.raw`
// All other files come from this script's origin.
const script = document.currentScript ?? document.querySelector("script[src*='/v1/paymentWidgets.js']");
const base = script instanceof HTMLScriptElement ? script.src.slice(0, script.src.indexOf("/v1/paymentWidgets.js")) : "";
const gateway = base === "" ? location.origin : new URL(base).origin;
const checkoutPath = base + "/v1/checkouts/" + checkout.id;

/** The page's options (docs/sandbox.md); read late, so that they may follow this script. */
let options = {};

/** The gateway's code of the form's language, and its texts. */
let language = "en";
let texts = {};

/** Target of all forms. */
const submitUrl = checkoutPath + "/" + checkout.kind;

/** The page's wpwlOptions, even if not a property of window ("const wpwlOptions"). */
function optionsOfPage() {
  return typeof wpwlOptions === "object" && wpwlOptions !== null ? wpwlOptions : {};
}

/** Pages set true or "true". */
function isOn(value) {
  return value === true || value === "true";
}

/** Calls one of the page's functions; its exceptions must not stop the form. */
function tell(name, ...told) {
  const heard = options[name];
  if (typeof heard !== "function") return undefined;
  try {
    return heard.apply(options, told);
  } catch (error) {
    console.error("wpwlOptions." + name + ":", error);
    return undefined;
  }
}

function tellError(name, message, more = {}) {
  if (typeof options.onError === "function") tell("onError", { name, message, ...more });
  else console.error("paymentWidgets.js: " + name + ": " + message);
}

/** The gateway's code for the page's locale: "de", "de-AT" and "de_AT" are the same. */
function languageOf(locale) {
  const code = String(locale ?? "en").toLowerCase().split(/[-_]/)[0];
  const own = otherCodes[code] ?? code;
  return languages[own] === undefined ? "en" : own;
}

/** The form's texts in that language, with the page's replacements. */
function textsOf(code) {
  return { ...languages[code].labels, ...languages[code].errors, ...options.labels, ...options.errorMessages };
}

/** Creates an element: undefined and false are omitted, functions become listeners. */
function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(name, value);
    else if (value !== undefined && value !== false) made.setAttribute(name, value === true ? "" : String(value));
  }
  made.append(...children.filter((child) => child !== undefined && child !== false));
  return made;
}

/** The time by the shopper's clock. */
function browserTime() {
  return new Date(performance.timeOrigin + performance.now());
}

let made = 0;

/** An id unique in the page. */
function newId() {
  made += 1;
  return "wpwl_" + checkout.id.slice(0, 8) + "_" + made;
}

function brandImage(brand) {
  const file = brand.toLowerCase().replaceAll("_", "-");
  const kind = brands[brand]?.is;
  return element("img", { class: "wpwl-brand wpwl-brand-" + kind + " wpwl-brand-" + brand, src: base + "/v1/paymentWidgets/" + file + ".svg", alt: brandTitle(brand), width: 48, height: 30 });
}

function brandTitle(brand) {
  return brands[brand]?.title ?? brand;
}

/** Fills placeholders of a text: "{brand}". */
function filled(text, values) {
  return text.replaceAll(/\{([A-Za-z0-9]+)\}/g, (place, name) => values[name] ?? place);
}
`;
