/**
 * Hosted form's script: the base of all other parts. Plain JavaScript for browsers, served unchanged; the other parts
 * of this folder follow in the same scope.
 */
export const pageScript = String.raw`
// Where this script came from is where everything else is.
const script = document.currentScript ?? document.querySelector("script[src*='/v1/paymentWidgets.js']");
const base = script instanceof HTMLScriptElement ? script.src.slice(0, script.src.indexOf("/v1/paymentWidgets.js")) : "";
const gateway = base === "" ? location.origin : new URL(base).origin;
const checkoutPath = base + "/v1/checkouts/" + checkout.id;

/** What the page wishes (docs/sandbox.md); read when the forms are made, so that it may stand before or after this script. */
let options = {};

/** The gateway's code of the language that is shown, and everything that is written in it. */
let language = "en";
let texts = {};

/** Where the forms are submitted to. */
const submitUrl = checkoutPath + "/" + checkout.kind;

/** The page's wpwlOptions, also where it is no property of window ("const wpwlOptions"). */
function optionsOfPage() {
  return typeof wpwlOptions === "object" && wpwlOptions !== null ? wpwlOptions : {};
}

/** Pages say true and "true". */
function isOn(value) {
  return value === true || value === "true";
}

/** Calls one of the page's functions; an exception in there is the page's own and must not stop the form. */
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

/** The gateway's code of the language that the page asked for: "de", "de-AT" and "de_AT" are the same here. */
function languageOf(locale) {
  const code = String(locale ?? "en").toLowerCase().split(/[-_]/)[0];
  const own = otherCodes[code] ?? code;
  return languages[own] === undefined ? "en" : own;
}

/** Everything that is written on the forms: in the language asked for, and with what the page says otherwise. */
function textsOf(code) {
  return { ...languages[code].labels, ...languages[code].errors, ...options.labels, ...options.errorMessages };
}

/** An element; what is undefined or false is left out, a function is listened with. */
function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(name, value);
    else if (value !== undefined && value !== false) made.setAttribute(name, value === true ? "" : String(value));
  }
  made.append(...children.filter((child) => child !== undefined && child !== false));
  return made;
}

/** What the shopper's own clock says. */
function browserTime() {
  return new Date(performance.timeOrigin + performance.now());
}

let made = 0;

/** An id that the page has not. */
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

/** Puts the values where the labels have their places: "{brand}". */
function filled(text, values) {
  return text.replaceAll(/\{([A-Za-z0-9]+)\}/g, (place, name) => values[name] ?? place);
}
`;
