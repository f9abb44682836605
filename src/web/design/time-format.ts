/** Times of all pages: in the browser's own language and zone, and of 24 hours, as on a receipt. */
export function timeFormat(options: Intl.DateTimeFormatOptions, locale?: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(locale, { ...options, hourCycle: "h23" });
}
