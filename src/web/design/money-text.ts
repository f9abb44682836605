function isNumber(text: string): text is `${number}` {
  return /^-?[0-9]{1,20}(\.[0-9]{1,4})?$/.test(text);
}

/** "€12.34", as the browser's language writes it. The amount stays a decimal string: no digit of it goes through a float. */
export function moneyText(amount: string, currency: string, locale?: string): string {
  if (!isNumber(amount) || !/^[A-Z]{3}$/.test(currency)) return `${amount} ${currency}`;
  const decimals = amount.split(".")[1]?.length ?? 0;
  return new Intl.NumberFormat(locale, { style: "currency", currency, minimumFractionDigits: decimals, maximumFractionDigits: decimals }).format(amount);
}
