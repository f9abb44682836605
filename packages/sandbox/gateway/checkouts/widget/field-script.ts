/** Hosted form's script: one labelled field, its error, and the button. */
export const fieldScript = `
/** A group of label, control and hint, with class names that integrations rely on. */
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

/** Undefined: no placeholder. */
function shownPlaceholder(text) {
  return options.showPlaceholders === false ? undefined : text;
}

/** Enter submits the form unless the page disables it. */
function pressEnter(form) {
  if (!isOn(options.disableSubmitOnEnter)) form.requestSubmit();
}

function input(name, className, attributes) {
  return element("input", { type: "text", ...attributes, name, id: newId(), class: "wpwl-control wpwl-control-" + className });
}

/** Shows an error below a control; a control has at most one. */
function showHint(control, errorName, text) {
  const wrapper = control.parentElement;
  removeHints(control);
  const hint = element("div", { class: "wpwl-hint wpwl-hint-" + errorName, id: newId(), role: "alert" }, text);
  control.classList.add("wpwl-has-error");
  control.setAttribute("aria-invalid", "true");
  control.setAttribute("aria-describedby", hint.id);
  wrapper.append(hint);
}

/** Removes errors, including those of the page's own checks. */
function removeHints(control) {
  control.classList.remove("wpwl-has-error");
  control.removeAttribute("aria-invalid");
  control.removeAttribute("aria-describedby");
  for (const hint of control.parentElement?.querySelectorAll(".wpwl-hint[class*='Error']") ?? []) hint.remove();
}

/** Shows a message about the whole form. */
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

/** Disables the button, so that a form under way is not sent again. */
function setBusy(form, busy) {
  const button = form.querySelector(".wpwl-button-pay");
  if (!(button instanceof HTMLButtonElement)) return;
  button.dataset.text ??= button.textContent ?? "";
  button.disabled = busy;
  button.textContent = busy ? texts.processing : button.dataset.text;
  form.setAttribute("aria-busy", String(busy));
  form.classList.toggle("wpwl-busy", busy);
}

/** A form with its container. send(event) resolves to whether the browser leaves the page. */
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
  // The browser's back button restores the page as submitted; the shopper may try again.
  window.addEventListener("pageshow", (event) => {
    if (!event.persisted) return;
    isSending = false;
    setBusy(form, false);
  });
  return { kind, form, container: element("div", { class: "wpwl-container wpwl-container-" + kind, id: newId() }, form) };
}

/** Whether the page permits the submission: its own check may return or resolve to false. */
async function isAllowed(name, event) {
  return (await tell(name, event)) !== false;
}

/** Non-empty values of a form, including fields added by the page. */
function valuesOf(form) {
  const values = {};
  for (const [name, value] of new FormData(form)) if (typeof value === "string" && value.trim() !== "") values[name] = value.trim();
  return values;
}

/** Parameters beside the account: the return address, and browser data for 3D Secure. */
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

/** Submits values without secrets from this page itself. */
function leaveWith(form, values) {
  const fields = Object.entries({ ...aboutThisBrowser(form), ...values }).map(([name, value]) => element("input", { type: "hidden", name, value }));
  const leaving = element("form", { method: "POST", action: submitUrl, target: options.paymentTarget ?? "_self", "accept-charset": "UTF-8", hidden: true }, ...fields);
  document.body.append(leaving);
  tell("onAfterSubmit");
  leaving.submit();
}
`;
