/** ISO/IEC 7812-1, annex B (Luhn). */
export function passesLuhn(number: string): boolean {
  const sum = [...number].reverse().reduce((total, character, at) => {
    const digit = Number(character) * (at % 2 === 0 ? 1 : 2);
    return total + (digit > 9 ? digit - 9 : digit);
  }, 0);
  return number !== "" && sum % 10 === 0;
}

/** ISO 13616-1, 6.1: country and check digits move to the end, letters count from 10, the remainder modulo 97 is 1. */
export function passesMod97(iban: string): boolean {
  const turned = `${iban.slice(4)}${iban.slice(0, 4)}`.toUpperCase();
  let rest = 0;
  for (const character of turned) {
    for (const digit of String(Number.parseInt(character, 36))) rest = (rest * 10 + Number(digit)) % 97;
  }
  return rest === 1;
}
