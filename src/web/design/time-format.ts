/** Time format of all pages: the browser's language and zone, 24 hours as on receipts. */
export function timeFormat(options: Intl.DateTimeFormatOptions, locale?: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(locale, { ...options, hourCycle: "h23" });
}
