/* Extra objects of a card, tag and value in hexadecimal: terminals pass on listed tags whatever their content. */

type OddObject = readonly [tag: string, value: string];

const repeated = (byte: string, times: number): string => byte.repeat(times);

/** Preferred name with escape sequences and a line end, in the character set that receipts print. */
const ESCAPES: readonly OddObject[] = [
  ["9F12", "1B5B324A0D0A3C7363726970743E2720"],
  ["9F11", "01"],
];

/** Lengths and contents that a parser must survive and that no receipt, log or request may show. */
export const HOSTILE_OBJECTS: readonly OddObject[] = [
  ...ESCAPES,
  // The longest value with one length byte after 81.
  ["9F7C", repeated("41", 255)],
  // Constructed tag, content not TLV.
  ["FF0D", "9F8181818181818181"],
  ["70", "5A7F"],
  // Nested more than eight deep.
  ["E7", "E712E710E70EE70CE70AE708E706E704E7025A00"],
  // Known tags with impossible lengths; they must not be passed on.
  ["9F1E", "3132333435363738393031323334353637383930"],
  ["9F53", repeated("52", 40)],
  ["9F6E", repeated("33", 33)],
  // Discretionary data of magstripes and of magstripe images on chips; the digits are unrelated to the terminal's keys.
  ["9F1F", "31313132323233333334343435353536"],
  ["9F20", "3131313232323333"],
  ["56", "42343131313131313131313131313131315E544553545E33313132323031"],
  ["9F6B", "4111111111111111D31122010000000000"],
  // An empty value.
  ["9F7D", ""],
  ["DF7E", repeated("00", 64)],
];

/** Two kilobytes of filler: an answer of many packets. */
export const LONG_OBJECTS: readonly OddObject[] = [
  ["9F12", repeated("57", 16)],
  ["9F11", "01"],
  ["9F6E", repeated("33", 32)],
  ...Array.from(
    { length: 8 },
    (_, at): OddObject => [`DF${(0x10 + at).toString(16).toUpperCase()}`, repeated("A5", 240)],
  ),
];
