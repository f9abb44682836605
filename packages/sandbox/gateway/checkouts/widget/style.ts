/** Rules of both styles: the form does not work without them. */
const SHARED = `
.wpwl-container { box-sizing: border-box; width: 100%; }
.wpwl-container[hidden], .wpwl-group[hidden] { display: none; }
.wpwl-form *, .wpwl-form *::before, .wpwl-form *::after { box-sizing: border-box; }
.wpwl-form { margin: 0 auto 1em; font-family: system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; font-size: 16px; line-height: 1.4; color: #1f2937; }
.wpwl-control { display: block; width: 100%; height: 2.75em; margin: 0; padding: 0 .75em; font: inherit; color: inherit; background: #fff; border: 1px solid #8b93a1; border-radius: .375em; }
.wpwl-control-iframe { padding: 0; }
.wpwl-form[dir=rtl] .wpwl-control[dir=ltr] { text-align: right; }
.wpwl-control::placeholder { color: #6b7280; opacity: 1; }
.wpwl-control:focus, .wpwl-control-iframe-focus { outline: 2px solid #1d4ed8; outline-offset: 1px; border-color: #1d4ed8; }
.wpwl-control.wpwl-has-error { border-color: #b91c1c; background: #fef2f2; }
.wpwl-hint { margin-top: .3em; font-size: .875em; color: #b91c1c; }
.wpwl-hint-cvv { color: #4b5563; }
.wpwl-message { margin-bottom: 1em; padding: .6em .75em; border-radius: .375em; background: #fef2f2; color: #991b1b; }
.wpwl-label { display: block; font-size: .875em; font-weight: 600; }
.wpwl-label-hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.wpwl-label-createRegistration { display: flex; gap: .5em; align-items: center; font-size: .9375em; }
.wpwl-label-createRegistration input, .wpwl-registration input { flex: none; width: 1.1em; height: 1.1em; margin: 0; accent-color: #1d4ed8; }
.wpwl-brand { display: block; width: 48px; height: 30px; }
.wpwl-brand-images { display: flex; flex-wrap: wrap; gap: .375em; }
.wpwl-brand-images .wpwl-brand { opacity: .45; }
.wpwl-brand-images .wpwl-brand-selected, .wpwl-brand-images .wpwl-brand:only-child { opacity: 1; }
.wpwl-group-brand .wpwl-wrapper-brand { display: flex; flex-wrap: wrap; gap: .75em; align-items: center; }
.wpwl-group-brand .wpwl-control-brand { width: auto; flex: 1 1 9em; }
.wpwl-group-brand-detected .wpwl-label-brand, .wpwl-group-brand-detected .wpwl-control-brand { display: none; }
.wpwl-group-brand-detected:not(:has(.wpwl-brand-selected)) .wpwl-brand { opacity: 1; }
.wpwl-button { display: inline-block; min-height: 2.75em; padding: .5em 1.5em; font: inherit; font-weight: 600; border: 1px solid transparent; border-radius: .375em; cursor: pointer; }
.wpwl-button:focus-visible { outline: 2px solid #1d4ed8; outline-offset: 2px; }
.wpwl-button-pay { color: #fff; background: #1d4ed8; }
.wpwl-button-pay:hover { background: #1e40af; }
.wpwl-button-pay:disabled { background: #6b7280; cursor: progress; }
.wpwl-button-other { color: #1d4ed8; background: transparent; border-color: #8b93a1; }
.wpwl-container-other { margin: 0 auto 1em; font-family: system-ui, sans-serif; font-size: 16px; }
.wpwl-group-registrations { margin: 0; padding: 0; border: 0; min-width: 0; }
.wpwl-group-registrations legend { padding: 0; margin-bottom: .4em; }
.wpwl-registration { display: grid; grid-template-columns: auto auto 1fr auto; gap: .125em .75em; align-items: center; padding: .6em .75em; border: 1px solid #c4cad4; cursor: pointer; }
.wpwl-registration + .wpwl-registration { border-top: 0; }
.wpwl-registration:first-of-type { border-radius: .375em .375em 0 0; }
.wpwl-registration:last-of-type { border-radius: 0 0 .375em .375em; }
.wpwl-registration:only-of-type { border-radius: .375em; }
.wpwl-registration:has(:checked) { background: #eff6ff; }
.wpwl-registration-number { grid-area: 1 / 3; text-align: start; font-variant-numeric: tabular-nums; font-weight: 600; }
.wpwl-registration-holder { grid-area: 2 / 3 / auto / -1; overflow-wrap: anywhere; font-size: .9375em; }
.wpwl-registration-holder:empty { display: none; }
.wpwl-registration-expiry { grid-area: 1 / 4; font-variant-numeric: tabular-nums; }
`;

/** A card on the page: labels above the fields, two columns if the width allows. */
const CARD = `
.wpwl-form { max-width: 30em; padding: 1.5em; background: #f8fafc; border: 1px solid #d5dae1; border-radius: .75em; }
.wpwl-form { display: grid; grid-template-columns: repeat(6, 1fr); gap: 1em; }
.wpwl-form > * { grid-column: 1 / -1; min-width: 0; }
.wpwl-message { margin-bottom: 0; }
.wpwl-label { margin-bottom: .3em; }
.wpwl-button { width: 100%; }
.wpwl-container-other { max-width: 30em; }
@media (min-width: 30em) {
  .wpwl-form-card > .wpwl-group-expiry { grid-column: span 2; }
  .wpwl-form-card > .wpwl-group-cardHolder { grid-column: span 4; }
  .wpwl-form > .wpwl-group-cvv .wpwl-control { max-width: 8.4em; }
}
@media (max-width: 29.99em) {
  .wpwl-form { padding: 1em; }
}
`;

/** Labels beside the fields, without a frame; on a phone above them. */
const PLAIN = `
.wpwl-form, .wpwl-container-other { max-width: 40em; }
.wpwl-group { display: flex; align-items: flex-start; margin-bottom: .75em; gap: 1em; }
.wpwl-group-registrations { display: block; }
.wpwl-group > .wpwl-label { flex: 0 0 33%; padding-top: .75em; }
.wpwl-group-registrations > .wpwl-label { padding-top: 0; }
.wpwl-group > .wpwl-wrapper { flex: 1 1 auto; min-width: 0; }
.wpwl-group-submit { justify-content: flex-end; }
.wpwl-group-submit > .wpwl-wrapper { flex: 0 0 auto; }
@media (max-width: 29.99em) {
  .wpwl-group { display: block; }
  .wpwl-group > .wpwl-label { margin-bottom: .3em; padding-top: 0; }
  .wpwl-button { width: 100%; }
}
`;

/** Keys are the values of wpwlOptions.style. */
export const styleSheets: Readonly<Record<string, string>> = { card: `${SHARED}${CARD}`, plain: `${SHARED}${PLAIN}` };
