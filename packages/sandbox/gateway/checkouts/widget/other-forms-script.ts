/** Hosted form's script: bank accounts, brands with pages of their own, and stored accounts. */
export const otherFormsScript = String.raw`
/** Holder and IBAN for a SEPA direct debit. */
function directDebitForm(brand, resultUrl) {
  const holder = input("bankAccount.holder", "accountHolder", { autocomplete: "name", placeholder: shownPlaceholder(texts.accountHolder), maxlength: 128 });
  const iban = input("bankAccount.iban", "accountIban", { autocomplete: "off", autocapitalize: "characters", spellcheck: "false", placeholder: shownPlaceholder(texts.accountIban), dir: "ltr", maxlength: 42 });
  const groups = [
    element("div", { class: "wpwl-group wpwl-group-brand wpwl-group-brand-detected" }, brandImage(brand)),
    group("accountHolder", texts.accountHolder, holder),
    group("accountIban", texts.accountIban, iban),
    storingChoice(),
    payButton(checkout.kind === "registration" ? texts.store : texts.submit),
  ];
  for (const control of [holder, iban]) control.addEventListener("input", () => removeHints(control));
  return formOf({ kind: "directDebit-" + brand, className: "wpwl-form-directDebit wpwl-form-directDebit-" + brand, resultUrl }, groups, async (event, form) => {
    for (const control of [holder, iban]) removeHints(control);
    const allowed = await isAllowed("onBeforeSubmitDirectDebit", event);
    const wrong = [
      ...(holder.value.trim().length >= 4 ? [] : [{ field: holder, control: holder, hint: "accountHolderError" }]),
      ...(isIban(iban.value) ? [] : [{ field: iban, control: iban, hint: "accountIbanError" }]),
    ];
    showWrong(wrong);
    if (wrong.length > 0 || !allowed) return false;
    setBusy(form, true);
    leaveWith(form, { ...valuesOf(form), paymentBrand: brand, "bankAccount.iban": iban.value.replaceAll(/\s/g, "").toUpperCase() });
    return true;
  });
}

/** ISO 13616: four characters move to the end, letters count from 10, the remainder modulo 97 is 1. */
function isIban(text) {
  const iban = text.replaceAll(/\s/g, "").toUpperCase();
  if (!/^[A-Z]{2}[0-9]{2}[A-Z0-9]{11,27}$/.test(iban)) return false;
  const digits = [...iban.slice(4), ...iban.slice(0, 4)].map((character) => parseInt(character, 36)).join("");
  return [...digits].reduce((remainder, digit) => (remainder * 10 + Number(digit)) % 97, 0) === 1;
}

const BEFORE_SUBMIT = {
  ...{ virtualAccount: "onBeforeSubmitVirtualAccount", onlineTransfer: "onBeforeSubmitOnlineTransfer" },
  ...{ invoice: "onBeforeSubmitInvoice", prepayment: "onBeforeSubmitPrepayment" },
};

/** A brand with its own page needs only a button here. */
function brandForm(brand, resultUrl) {
  const kind = brands[brand].is;
  const button = payButton(filled(texts.continueTo, { brand: brandTitle(brand) }));
  button.querySelector("button")?.classList.add("wpwl-button-brand");
  const groups = [element("div", { class: "wpwl-group wpwl-group-brand wpwl-group-brand-detected" }, brandImage(brand)), button];
  return formOf({ kind: kind + "-" + brand, className: "wpwl-form-" + kind + " wpwl-form-" + kind + "-" + brand, resultUrl }, groups, async (event, form) => {
    if (!(await isAllowed(BEFORE_SUBMIT[kind], event))) return false;
    setBusy(form, true);
    leaveWith(form, { ...valuesOf(form), paymentBrand: brand });
    return true;
  });
}

/** Stored accounts: one click, or security code and one click. */
function storedForm(resultUrl) {
  const needsCvv = isOn(options.registrations?.requireCvv);
  const rows = checkout.offered.map(storedRow);
  const chosen = () => checkout.offered.find((token) => rows.some(({ radio }) => radio.checked && radio.value === token.id));
  let form;
  const settings = () => ({
    ...{ text: texts.cvv, placeholder: shownPlaceholder("CVV"), language: languages[language].tag, direction: languages[language].direction, look: lookOf(form, "card.cvv"), brands: [], group: form.id, brand: chosen()?.brand, masked: isOn(options.maskCvv) },
  });
  const cvv = needsCvv
    ? secureField({ name: "card.cvv", title: texts.cvv, settings, heard: (state) => shown(cvv.frame, state), entered: () => pressEnter(form) })
    : undefined;
  const cvvGroup = cvv && group("cvv", texts.cvv, cvv.frame, cvvHint());
  const choose = () => {
    const token = chosen();
    cvvGroup?.toggleAttribute("hidden", token?.isCard !== true);
    cvv?.set({ brand: token?.brand });
  };
  for (const { radio } of rows) radio.addEventListener("change", choose);
  const groups = [
    element("fieldset", { class: "wpwl-group wpwl-group-registrations" }, element("legend", { class: "wpwl-label" }, texts.savedAccounts), ...rows.map(({ row }) => row)),
    cvvGroup,
    payButton(texts.submit),
  ];
  const made = formOf({ kind: "registration", className: "wpwl-form-registrations", resultUrl }, groups, (event) => sendStored(event, form, chosen(), cvv));
  form = made.form;
  form.id = newId();
  if (cvv !== undefined) labelFocuses(cvv);
  choose();
  return { ...made, secure: cvv === undefined ? [] : [cvv] };
}

function storedRow(token, at) {
  const radio = element("input", { type: "radio", name: "registrationId", value: token.id, id: newId(), checked: at === 0, class: "wpwl-control-registration" });
  const row = element(
    "label",
    { class: "wpwl-registration", for: radio.id },
    radio,
    brandImage(token.brand),
    element("span", { class: "wpwl-registration-number", dir: "ltr" }, token.number),
    element("span", { class: "wpwl-registration-holder" }, token.holder ?? ""),
    element("span", { class: "wpwl-registration-expiry", dir: "ltr" }, token.expiry ?? ""),
  );
  return { radio, row };
}

async function sendStored(event, form, token, cvv) {
  if (token === undefined || !(await isAllowed("onBeforeSubmitOneClickCard", event))) return false;
  const values = valuesOf(form);
  if (cvv === undefined || !token.isCard) {
    setBusy(form, true);
    leaveWith(form, values);
    return true;
  }
  removeHints(cvv.frame);
  const state = await cvv.check();
  if (state?.valid !== true) {
    showWrong([{ field: cvv, control: cvv.frame, hint: "cvvError" }]);
    return false;
  }
  return sendThroughFrame(form, cvv, [], values);
}
`;
