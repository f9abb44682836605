import iconv from "iconv-lite";

/** Paper as a receipt printer of Epson's language leaves it: the text, line by line, and what else it did. */
export interface Printed {
  readonly lines: readonly string[];
  /** The texts of the lines that were printed bold. */
  readonly bold: readonly string[];
  readonly codes: readonly string[];
  readonly cuts: readonly ("full" | "partial")[];
  readonly pulses: number;
}

/** Epson, "ESC/POS Command Reference", ESC t: the numbers of code pages that a TM printer has. */
const CODE_PAGES: Readonly<Record<number, string>> = {
  0: "cp437",
  2: "cp850",
  3: "cp860",
  4: "cp863",
  5: "cp865",
  13: "cp857",
  14: "cp737",
  15: "iso88597",
  16: "win1252",
  17: "cp866",
  18: "cp852",
  19: "cp858",
  33: "cp775",
  34: "cp855",
  36: "cp862",
  37: "cp864",
  39: "iso88592",
  40: "iso885915",
  45: "win1250",
  46: "win1251",
  47: "win1253",
  48: "win1254",
};

const [ESC, FS, GS, LF, CR] = [0x1b, 0x1c, 0x1d, 0x0a, 0x0d];

/** Prints bytes. Throws on a command that this printer does not know, so that nothing is left out unseen. */
export function printOn(bytes: Uint8Array): Printed {
  const printer = new Printer(bytes);
  printer.run();
  return printer;
}

class Printer implements Printed {
  readonly lines: string[] = [];
  readonly bold: string[] = [];
  readonly codes: string[] = [];
  readonly cuts: ("full" | "partial")[] = [];
  pulses = 0;
  readonly #bytes: Uint8Array;
  #at = 0;
  #page = "cp437";
  #line = "";
  #isBold = false;
  #wasBold = false;
  #stored = "";

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  run(): void {
    while (this.#at < this.#bytes.length) {
      const byte = this.#next();
      if (byte === LF) this.#feed();
      else if (byte === ESC) this.#command(String.fromCharCode(this.#next()));
      else if (byte === GS) this.#group(String.fromCharCode(this.#next()));
      else if (byte === FS) this.#next();
      else if (byte !== CR) this.#print(byte);
    }
  }

  #next(): number {
    return this.#bytes[this.#at++] ?? 0;
  }

  #print(byte: number): void {
    if (byte < 0x20) throw new Error(`control ${byte} at ${this.#at}`);
    this.#line += iconv.decode(Buffer.from([byte]), this.#page);
    this.#wasBold ||= this.#isBold;
  }

  #feed(): void {
    this.lines.push(this.#line);
    if (this.#wasBold) this.bold.push(this.#line.trim());
    this.#line = "";
    this.#wasBold = this.#isBold;
  }

  #command(letter: string): void {
    if (letter === "@") this.#page = "cp437";
    else if (letter === "t") this.#page = pageOf(this.#next());
    else if (letter === "E") this.#isBold = this.#next() === 1;
    else if (letter === "M" || letter === "a") this.#next();
    else if (letter === "p") {
      this.#at += 3;
      this.pulses += 1;
    } else throw new Error(`ESC ${letter} at ${this.#at}`);
  }

  #group(letter: string): void {
    if (letter === "V") this.cuts.push(this.#next() === 0 ? "full" : "partial");
    else if (letter === "(" && this.#next() === 0x6b) this.#code(this.#next() + 256 * this.#next());
    else throw new Error(`GS ${letter} at ${this.#at}`);
  }

  /** GS ( k: 50 stores the text of a code, 51 draws it. */
  #code(size: number): void {
    const [, action, ...data] = this.#bytes.subarray(this.#at, this.#at + size);
    this.#at += size;
    if (action === 0x50) this.#stored = Buffer.from(data.slice(1)).toString("utf8");
    if (action === 0x51) this.codes.push(this.#stored);
  }
}

function pageOf(number: number): string {
  const page = CODE_PAGES[number];
  if (page === undefined) throw new Error(`code page ${number} is not in the printer's table`);
  return page;
}
