function isNumber(text: string): text is `${number}` {
  return /^-?[0-9]{1,20}(\.[0-9]{1,4})?$/.test(text);
}

/** "€12.34" in the browser's language. The amount stays a decimal string, never a float. */
export function moneyText(amount: string, currency: string, locale?: string): string {
  if (!isNumber(amount) || !/^[A-Z]{3}$/.test(currency)) return `${amount} ${currency}`;
  const decimals = amount.split(".")[1]?.length ?? 0;
  return new Intl.NumberFormat(locale, {
    style: "currency",
    currency,
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  }).format(amount);
}
