/**
 * Runs inside the frame of a card number or security code, at the gateway's origin. The embedding page may style it and
 * trigger submission. The page learns whether the value is valid and which brand it is, never the value. A security
 * code goes only to a frame of the same origin and form.
 */
export const frameScript = `
const name = location.pathname.split("/").at(-1) ?? "";
const checkoutPath = location.pathname.slice(0, -"/fields/".length - name.length);
const isNumber = name === "card.number";
const input = document.querySelector("input");
const error = document.querySelector("#error");
/** The page's settings. It may only name brands: with patterns of its own it could probe the number digit by digit. */
let settings = { brands: [], group: "" };
let page;
let focused = false;

function tellPage(message) {
  if (page !== undefined) window.parent.postMessage(message, page);
}

window.addEventListener("message", (event) => {
  const message = event.data;
  if (typeof message !== "object" || message === null || window.parent === window) return;
  if (event.source === window.parent) hearPage(message, event.origin);
  else if (event.origin === location.origin) hearSibling(message, event.source);
});

function hearPage(message, origin) {
  switch (message.type) {
    case "begin":
      // A page without an origin, such as a local file, can be addressed only by "*".
      page = origin === "null" ? "*" : origin;
      begin(message.settings);
      break;
    case "set":
      wish(message.settings);
      tellState("set");
      break;
    case "check":
      answer(message, state("check"));
      break;
    case "error":
      showError(String(message.text));
      break;
    case "focus":
      input.focus();
      break;
    case "submit":
      submit(message);
      break;
  }
}

/** Values requested from sibling frames, to send with the form. */
const asked = new Map();

function hearSibling(message, sibling) {
  if (message.group !== settings.group || settings.group === "") return;
  if (message.type === "ask") sibling.postMessage({ type: "value", group: settings.group, name, value: digits() }, location.origin);
  if (message.type === "value") asked.get(message.name)?.(String(message.value));
}

function wish(wished) {
  const { brands: named = settings.brands } = Object(wished);
  settings = { ...settings, ...wished, brands: [named].flat().filter((brand) => Object.hasOwn(brands, brand)) };
}

function begin(begun) {
  wish(begun);
  document.documentElement.lang = settings.language === undefined ? "en" : settings.language;
  document.documentElement.dir = settings.direction === "rtl" ? "rtl" : "ltr";
  input.setAttribute("aria-label", settings.text);
  input.placeholder = settings.placeholder ?? "";
  if (settings.masked === true) input.type = "password";
  wear(settings.look ?? {});
  tellPage({ type: "ready" });
  tellState("set");
}

const STYLABLE = /^(?:color|font(?:-[a-z]+)?|letter-spacing|line-height|text-(?:align|decoration|shadow|transform))$/;

/** Only text styles: no moving, hiding or fetching. */
function wear({ text = {}, placeholder = {} }) {
  for (const [property, value] of Object.entries(text)) if (STYLABLE.test(property)) input.style.setProperty(property, String(value));
  for (const [property, value] of Object.entries(placeholder)) if (property === "color") input.style.setProperty("--placeholder", String(value));
}

function digits() {
  return digitsOf(input.value);
}

/** ISO/IEC 7812-1, annex B. */
function isLuhn(number) {
  const sum = [...number].reverse().reduce((total, digit, at) => {
    const value = Number(digit) * (at % 2 === 0 ? 1 : 2);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}

/** Among the page's brands: the chosen one if the number may match it, else the first match. */
function brandOf(number) {
  const known = settings.brands;
  const whole = known.filter((brand) => new RegExp(brands[brand].numbers).test(number));
  if (whole.length > 0) return whole.includes(settings.brand) ? settings.brand : whole[0];
  const begun = known.filter((brand) => brands[brand].begins !== undefined && new RegExp("^(?:" + brands[brand].begins + ")").test(number));
  return begun.includes(settings.brand) ? settings.brand : begun[0];
}

function isNumberValid(number) {
  return settings.brands.some((brand) => new RegExp(brands[brand].numbers).test(number)) && isLuhn(number);
}

function isCodeValid(code) {
  return (brands[settings.brand]?.cvv ?? [3, 4]).includes(code.length);
}

function state(event) {
  const value = digits();
  const valid = isNumber ? isNumberValid(value) : isCodeValid(value);
  return { event, valid, empty: value === "", focused, ...(isNumber && { brand: brandOf(value) }) };
}

function tellState(event) {
  tellPage({ type: "state", state: state(event) });
}

function answer({ number }, told) {
  tellPage({ type: "answer", number, answer: told });
}

function showError(text) {
  error.textContent = text;
  if (text === "") {
    input.removeAttribute("aria-invalid");
    input.removeAttribute("aria-describedby");
  } else {
    input.setAttribute("aria-invalid", "true");
    input.setAttribute("aria-describedby", "error");
  }
}

/** Groups of four, or 4-6-5 as on American Express. */
function grouped(number) {
  const sizes = /^3[47]/.test(number) ? [4, 6, 5] : [4, 4, 4, 4, 4];
  const groups = [];
  let at = 0;
  for (const size of sizes) {
    if (at < number.length) groups.push(number.slice(at, at + size));
    at += size;
  }
  return groups.join(" ");
}

/** Keeps the cursor after the same digit. */
function arrange() {
  const before = digitsOf(input.value.slice(0, input.selectionStart ?? input.value.length)).length;
  const number = digits().slice(0, isNumber ? 19 : 4);
  input.value = isNumber && settings.grouped !== false ? grouped(number) : number;
  let place = 0;
  for (let seen = 0; place < input.value.length && seen < before; place += 1) if (/[0-9]/.test(input.value[place])) seen += 1;
  if (document.activeElement === input) input.setSelectionRange(place, place);
}

input.addEventListener("input", () => {
  arrange();
  showError("");
  tellState("input");
});
input.addEventListener("focus", () => {
  focused = true;
  tellState("focus");
});
input.addEventListener("blur", () => {
  focused = false;
  tellState("blur");
});
document.querySelector("form").addEventListener("submit", (event) => {
  event.preventDefault();
  tellPage({ type: "enter" });
});

function valueOfSibling({ name: other, place }) {
  return new Promise((resolve) => {
    asked.set(other, resolve);
    window.parent.frames[Number(place)]?.postMessage({ type: "ask", group: settings.group }, location.origin);
  });
}

async function submit(message) {
  const values = { ...message.values, [name]: digits() };
  for (const other of message.others) values[other.name] = await valueOfSibling(other);
  const kind = message.kind === "registration" ? "registration" : "payment";
  const action = checkoutPath + "/" + kind;
  // Browsers let a frame navigate the window only after a gesture inside it; without one the page navigates.
  if (message.mayLeave === true && navigator.userActivation?.hasBeenActive === true) leave(action, values);
  else answer(message, await post(action, values));
}

function leave(action, values) {
  const form = document.createElement("form");
  Object.assign(form, { method: "POST", action, target: "_top", acceptCharset: "UTF-8", hidden: true });
  for (const [field, value] of Object.entries(values)) {
    const hidden = document.createElement("input");
    Object.assign(hidden, { type: "hidden", name: field, value });
    form.append(hidden);
  }
  document.body.append(form);
  form.submit();
}

async function post(action, values) {
  try {
    const reply = await fetch(action, { method: "POST", headers: { accept: "application/json" }, body: new URLSearchParams(values) });
    return { status: reply.status, location: reply.headers.get("location") ?? undefined };
  } catch {
    return { status: 0 };
  }
}
`;
