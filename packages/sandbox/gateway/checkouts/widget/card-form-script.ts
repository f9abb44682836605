/** Hosted form's script: a new card. */
export const cardFormScript = String.raw`
/** A card form for these brands. */
function cardForm(allowed, resultUrl) {
  const brand = brandChoice(allowed);
  const holder = input("card.holder", "cardHolder", { autocomplete: "cc-name", placeholder: shownPlaceholder(texts.cardHolder), maxlength: 128 });
  const expiry = expiryInput();
  let form;
  const frameSettings = (name) => () => ({
    ...{ text: name === "card.cvv" ? texts.cvv : texts.cardNumber, placeholder: shownPlaceholder(name === "card.cvv" ? "CVV" : texts.cardNumber), language: languages[language].tag, direction: languages[language].direction, look: lookOf(holder, name), brands: allowed },
    ...{ group: form.id, brand: brand.chosen(), grouped: options.numberFormatting !== false, masked: isOn(options.maskCvv) },
  });
  const numberChanged = (state) => {
    shown(number.frame, state);
    brand.found(state.brand);
    cvv.set({ brand: brand.chosen() });
  };
  const number = secureField({ name: "card.number", title: texts.cardNumber, settings: frameSettings("card.number"), heard: numberChanged, entered: () => pressEnter(form) });
  const cvv = secureField({
    ...{ name: "card.cvv", title: texts.cvv, settings: frameSettings("card.cvv"), heard: (state) => shown(cvv.frame, state), entered: () => pressEnter(form) },
  });
  brand.select.addEventListener("change", () => {
    number.set({ brand: brand.chosen() });
    cvv.set({ brand: brand.chosen() });
    tell("onChangeBrand", brand.chosen());
  });
  const cvvGroup = group("cvv", texts.cvv, cvv.frame, cvvHint());
  cvvGroup.hidden = !isCvvRequired();
  const groups = [
    brand.group,
    group("cardNumber", texts.cardNumber, number.frame),
    group("expiry", texts.expiryDate, expiry),
    group("cardHolder", texts.cardHolder, holder),
    cvvGroup,
    storingChoice(),
    payButton(checkout.kind === "registration" ? texts.store : texts.submit),
  ];
  const made = formOf({ kind: "card", className: "wpwl-form-card", resultUrl }, groups, (event) => sendCard(event, { form, brand, number, expiry, holder, cvv }));
  form = made.form;
  form.id = newId();
  for (const field of [number, cvv]) labelFocuses(field);
  for (const control of [holder, expiry]) control.addEventListener("input", () => removeHints(control));
  return { ...made, secure: [number, cvv] };
}

/** A label's for attribute cannot name a frame. */
function labelFocuses(field) {
  field.frame.closest(".wpwl-group")?.querySelector(".wpwl-label")?.addEventListener("click", () => field.focus());
}

/** Shows the frame's state on its control in this page. */
function shown(frame, state) {
  frame.classList.toggle("wpwl-control-iframe-focus", state.focused === true);
  if (state.event === "input") {
    removeHints(frame);
    for (const field of secureFields) if (field.frame === frame) field.showError("");
  }
  if (state.event === "blur" && frame.name === "card.number") tell("onBlurCardNumber", state.valid);
}

/** The card's brand: chosen by the shopper, or detected from the number. */
function brandChoice(allowed) {
  const detecting = isOn(options.brandDetection);
  const select = element(
    "select",
    { class: "wpwl-control wpwl-control-brand", name: "paymentBrand", id: newId() },
    ...allowed.map((brand) => element("option", { value: brand }, brandTitle(brand))),
  );
  const images = element("div", { class: "wpwl-brand-images" }, ...allowed.map(brandImage));
  const made = group("brand", texts.brand, select, images);
  if (detecting || allowed.length === 1) made.classList.add("wpwl-group-brand-detected");
  let last;
  const show = () => {
    for (const image of images.children) image.classList.toggle("wpwl-brand-selected", image.classList.contains("wpwl-brand-" + select.value) && (!detecting || last !== undefined));
  };
  select.addEventListener("change", show);
  show();
  return {
    ...{ select, group: made },
    chosen: () => select.value,
    found(brand) {
      const isNew = brand !== last;
      last = brand;
      // Overrides the shopper's choice too, because the number decides the brand.
      if (brand !== undefined && allowed.includes(brand)) select.value = brand;
      show();
      if (!isNew) return;
      tell("onDetectBrand", brand === undefined ? [] : [brand]);
      if (brand !== undefined) tell("onChangeBrand", brand);
    },
  };
}

function expiryInput() {
  const expiry = input("card.expiry", "expiry", { inputmode: "numeric", autocomplete: "cc-exp", placeholder: shownPlaceholder(texts.expiryPlaceholder), dir: "ltr" });
  expiry.addEventListener("input", (event) => {
    const isDeletion = event instanceof InputEvent && event.inputType.startsWith("delete");
    const digits = expiryDigits(expiry.value);
    if (!isDeletion) expiry.value = digits.length < 2 ? digits : digits.slice(0, 2) + " / " + digits.slice(2);
  });
  return expiry;
}

/**
 * Two digits of the month and up to four of the year. Accepts one-digit months before a separator ("1/34") or a digit
 * that no month continues with ("534", "134").
 */
function expiryDigits(text) {
  const month = plainDigits(text).replace(/^[^0-9]*([1-9])(?=[^0-9])/, "0$1");
  return digitsOf(month).replace(/^(?=[2-9]|1[3-9])/, "0").slice(0, 6);
}

/** Month and year; undefined if invalid or past. */
function expiryOf(text) {
  const [, month, year] = /^(0[1-9]|1[0-2])((?:20)?[0-9]{2})$/.exec(expiryDigits(text)) ?? [];
  if (month === undefined) return undefined;
  const whole = year.length === 2 ? "20" + year : year;
  const now = browserTime();
  return whole + month >= String(now.getFullYear()) + String(now.getMonth() + 1).padStart(2, "0") ? { month, year: whole } : undefined;
}

/** Pages of channels that need no security code omit it. */
function isCvvRequired() {
  return isOn(options.requireCvv ?? true);
}

function cvvHint() {
  if (!isOn(options.showCVVHint)) return undefined;
  return element("div", { class: "wpwl-hint wpwl-hint-cvv" }, texts.cvvHint);
}

/** The shopper's choice to store the card, unless the merchant has decided ("Tokenization rules"). */
function storingChoice() {
  if (checkout.kind === "registration" || checkout.stores || !isOn(options.registrations?.shopperDetermined)) return undefined;
  const box = element("input", { type: "checkbox", name: "createRegistration", value: "true", id: newId(), class: "wpwl-control-createRegistration" });
  return element(
    "div",
    { class: "wpwl-group wpwl-group-createRegistration wpwl-clearfix" },
    element("label", { class: "wpwl-label-createRegistration", for: box.id }, box, " ", texts.storeDetails),
  );
}

/** The holder is optional but must be a name. */
function isHolder(text) {
  const name = text.trim();
  return name === "" || (/^[\p{L}\p{M} .,'\u2019()/-]{3,128}$/u.test(name) && /\p{L}/u.test(name));
}

async function sendCard(event, { form, brand, number, expiry, holder, cvv }) {
  for (const control of [number.frame, expiry, holder, cvv.frame, brand.select]) removeHints(control);
  const allowed = await isAllowed("onBeforeSubmitCard", event);
  const [numberState, cvvState] = await Promise.all([number.check(), cvv.check()]);
  if (numberState === undefined || cvvState === undefined) {
    showMessage(form, texts.generalError);
    return false;
  }
  const date = expiryOf(expiry.value);
  const wrong = [
    ...(numberState.valid ? [] : [{ field: number, control: number.frame, hint: "cardNumberError" }]),
    ...(date ? [] : [{ field: expiry, control: expiry, hint: "expiryMonthError" }]),
    ...(isHolder(holder.value) ? [] : [{ field: holder, control: holder, hint: "cardHolderError" }]),
    ...(cvvState.valid || (cvvState.empty && (isOn(options.allowEmptyCvv) || !isCvvRequired())) ? [] : [{ field: cvv, control: cvv.frame, hint: "cvvError" }]),
  ];
  showWrong(wrong);
  if (wrong.length > 0 || !allowed) return false;
  const { "card.expiry": _, ...values } = valuesOf(form);
  return sendThroughFrame(form, number, cvvState.empty ? [] : [cvv], {
    ...{ ...values, paymentBrand: brand.chosen(), "card.expiryMonth": date.month, "card.expiryYear": date.year },
  });
}

/** Shows each error at its field and focuses the first. */
function showWrong(wrong) {
  for (const { field, control, hint } of wrong) {
    if (!control.classList.contains("wpwl-has-error")) showHint(control, hint, texts[hint]);
    field.showError?.(texts[hint]);
  }
  wrong[0]?.field.focus();
}

/** The frame with the number, or else the security code, sends the form: only frames hold the secret values. */
async function sendThroughFrame(form, sender, others, values) {
  setBusy(form, true);
  tell("onAfterSubmit");
  const answer = await sender.submit({
    ...{ kind: checkout.kind, values: { ...aboutThisBrowser(form), ...values } },
    ...{ others: others.map((other) => ({ name: other.frame.name, place: other.place() })), mayLeave: window.top === window || options.paymentTarget === "_top" },
  });
  if (typeof answer?.location === "string") {
    location.assign(answer.location);
    return true;
  }
  showMessage(form, texts.generalError);
  tellError("PciIframeSubmitError", "the form could not be submitted", { status: answer?.status });
  return false;
}
`;
