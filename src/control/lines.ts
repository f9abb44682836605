/** Maximum of a line in bytes: far above any request, and harmless. */
export const MAX_LINE_BYTES = 65_536;

/** The other side sent a line that never ends. */
export class LineTooLong extends Error {
  constructor() {
    super(`a line of more than ${MAX_LINE_BYTES} bytes`);
    this.name = "LineTooLong";
  }
}

export interface LineReader {
  /** The lines completed by this chunk, without line breaks. Throws LineTooLong, after which the reader is unusable. */
  push(chunk: Uint8Array): readonly string[];
}

/**
 * The control socket's wire format: JSON texts in UTF-8, each ended by one line feed (JSON.stringify writes none
 * inside). One reader a stream.
 */
export function lineReader(): LineReader {
  let parts: Uint8Array[] = [];
  let length = 0;
  const take = (part: Uint8Array): void => {
    length += part.length;
    if (length > MAX_LINE_BYTES) throw new LineTooLong();
    parts.push(part);
  };
  return {
    push: (chunk) => {
      const lines: string[] = [];
      let from = 0;
      for (let end = chunk.indexOf(0x0a); end !== -1; end = chunk.indexOf(0x0a, from)) {
        take(chunk.subarray(from, end));
        lines.push(Buffer.concat(parts).toString("utf8"));
        parts = [];
        length = 0;
        from = end + 1;
      }
      if (from < chunk.length) take(Uint8Array.from(chunk.subarray(from)));
      return lines;
    },
  };
}

export function lineOf(message: object): string {
  return `${JSON.stringify(message)}\n`;
}
