/** Hosted form's script: one labelled field, its error, and the button. */
export const fieldScript = `
/** A group of label, control and hint, under the class names that integrations know. */
function group(name, label, control, ...more) {
  const id = control.id || (control.id = newId());
  const isFrame = control instanceof HTMLIFrameElement;
  return element(
    "div",
    { class: "wpwl-group wpwl-group-" + name + " wpwl-clearfix" },
    element("label", { class: "wpwl-label wpwl-label-" + name + (options.showLabels === false ? " wpwl-label-hidden" : ""), ...(!isFrame && { for: id }) }, label),
    element("div", { class: "wpwl-wrapper wpwl-wrapper-" + name }, control, ...more),
  );
}

/** undefined: none is shown. */
function shownPlaceholder(text) {
  return options.showPlaceholders === false ? undefined : text;
}

/** The key that sends a form, unless the page wants it to be pressed by its button alone. */
function pressEnter(form) {
  if (!isOn(options.disableSubmitOnEnter)) form.requestSubmit();
}

/** An input of this page. */
function input(name, className, attributes) {
  return element("input", { type: "text", ...attributes, name, id: newId(), class: "wpwl-control wpwl-control-" + className });
}

/** The text below a control that says what is wrong with it; one control has at most one of each name. */
function showHint(control, errorName, text) {
  const wrapper = control.parentElement;
  removeHints(control);
  const hint = element("div", { class: "wpwl-hint wpwl-hint-" + errorName, id: newId(), role: "alert" }, text);
  control.classList.add("wpwl-has-error");
  control.setAttribute("aria-invalid", "true");
  control.setAttribute("aria-describedby", hint.id);
  wrapper.append(hint);
}

/** Also what a page's own check put there. */
function removeHints(control) {
  control.classList.remove("wpwl-has-error");
  control.removeAttribute("aria-invalid");
  control.removeAttribute("aria-describedby");
  for (const hint of control.parentElement?.querySelectorAll(".wpwl-hint[class*='Error']") ?? []) hint.remove();
}

/** A message about the form as a whole. */
function showMessage(form, text) {
  form.querySelector(".wpwl-message")?.remove();
  form.prepend(element("div", { class: "wpwl-message wpwl-has-error", role: "alert" }, text));
}

function payButton(text) {
  const button = element("button", { type: "submit", name: "pay", class: "wpwl-button wpwl-button-pay" }, text);
  return element(
    "div",
    { class: "wpwl-group wpwl-group-submit wpwl-clearfix" },
    element("div", { class: "wpwl-wrapper wpwl-wrapper-submit" }, button),
  );
}

/** While a form is on its way nobody sends it again. */
function setBusy(form, busy) {
  const button = form.querySelector(".wpwl-button-pay");
  if (!(button instanceof HTMLButtonElement)) return;
  button.dataset.text ??= button.textContent ?? "";
  button.disabled = busy;
  button.textContent = busy ? texts.processing : button.dataset.text;
  form.setAttribute("aria-busy", String(busy));
  form.classList.toggle("wpwl-busy", busy);
}

/** A form with its container. send(event) resolves to whether it left. */
function formOf({ kind, className, resultUrl }, children, send) {
  const form = element(
    "form",
    {
      ...{ class: "wpwl-form " + className + " wpwl-clearfix", action: submitUrl, method: "POST", "accept-charset": "UTF-8", novalidate: true },
      ...{ lang: languages[language].tag, dir: languages[language].direction, "data-action": "submit-" + checkout.kind + "-" + kind, "data-result-url": resultUrl },
    },
    ...children,
  );
  let isSending = false;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (isSending) return;
    isSending = true;
    form.querySelector(".wpwl-message")?.remove();
    send(event, form)
      .catch((error) => {
        console.error("paymentWidgets.js:", error);
        return false;
      })
      .then((left) => {
        isSending = false;
        setBusy(form, left);
      });
  });
  form.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && event.target instanceof HTMLInputElement && isOn(options.disableSubmitOnEnter)) event.preventDefault();
  });
  // Who comes back by the browser's own button finds the page as he left it, on its way, and may try again.
  window.addEventListener("pageshow", (event) => {
    if (!event.persisted) return;
    isSending = false;
    setBusy(form, false);
  });
  return { kind, form, container: element("div", { class: "wpwl-container wpwl-container-" + kind, id: newId() }, form) };
}

/** Whether the page lets a form go: its own check may say no by false, also later. */
async function isAllowed(name, event) {
  return (await tell(name, event)) !== false;
}

/** What stands in a form, the page's own additions too; what is empty is not said. */
function valuesOf(form) {
  const values = {};
  for (const [name, value] of new FormData(form)) if (typeof value === "string" && value.trim() !== "") values[name] = value.trim();
  return values;
}

/** What the gateway is told beside the account: where the shopper is to go afterwards, and what 3D Secure asks of a browser. */
function aboutThisBrowser({ dataset: { resultUrl } }) {
  return {
    ...(resultUrl && { shopperResultUrl: resultUrl }),
    "customer.browser.language": navigator.language.slice(0, 8),
    "customer.browser.screenHeight": String(screen.height),
    "customer.browser.screenWidth": String(screen.width),
    "customer.browser.screenColorDepth": String(screen.colorDepth),
    "customer.browser.timezone": String(browserTime().getTimezoneOffset()),
    "customer.browser.javaEnabled": "false",
    "customer.browser.userAgent": navigator.userAgent,
  };
}

/** Sends what is no secret from this page itself, like all forms of a page. */
function leaveWith(form, values) {
  const fields = Object.entries({ ...aboutThisBrowser(form), ...values }).map(([name, value]) => element("input", { type: "hidden", name, value }));
  const leaving = element("form", { method: "POST", action: submitUrl, target: options.paymentTarget ?? "_self", "accept-charset": "UTF-8", hidden: true }, ...fields);
  document.body.append(leaving);
  tell("onAfterSubmit");
  leaving.submit();
}
`;
