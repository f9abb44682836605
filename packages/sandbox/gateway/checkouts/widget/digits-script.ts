/**
 * Hosted form's scripts, for page and frames: digits of any keyboard. Arabic, Persian and Japanese keyboards have their
 * own digits.
 */
export const digitsScript = String.raw`
/** Converts digits of those scripts to 0 to 9; their code points modulo 16 are the digit. */
function plainDigits(text) {
  return text.replaceAll(/[\u0660-\u0669\u06f0-\u06f9\uff10-\uff19]/g, (digit) => String(digit.charCodeAt(0) % 16));
}

/** Only the digits of the text. */
function digitsOf(text) {
  return plainDigits(text).replaceAll(/[^0-9]/g, "");
}
`;
