const isDecimal = (text: string): text is `${number}` => /^[0-9]+(\.[0-9]+)?$/.test(text);

/** A decimal string as the browser's language writes money, without a float in between. */
export function amountWords(amount: string, currency: string, language?: string): string {
  if (!isDecimal(amount) || !/^[A-Z]{3}$/.test(currency)) return `${amount} ${currency}`;
  return new Intl.NumberFormat(language, { style: "currency", currency }).format(amount);
}
