const BACKSLASH = 92
const PERCENT = 37
const UNDERSCORE = 95

/** The byte that a backslash and the byte after it mean; any other byte means itself. */
const MEANING = new Uint8Array(256).map((_, byte) => byte)
for (const [letter, byte] of Object.entries({ '0': 0, b: 8, t: 9, n: 10, r: 13, Z: 26 })) {
  MEANING[letter.charCodeAt(0)] = byte
}

/**
 * The content of a string as MySQL reads it, with backslash escapes and doubled quotes resolved.
 * The quote is the byte before `start`. `\%` and `\_` keep their backslash.
 */
export function unescaped(bytes: Buffer, start: number, end: number): Buffer {
  const quote = bytes[start - 1]
  const plain = Buffer.allocUnsafe(end - start)
  let length = 0
  for (let at = start; at < end; at += 1) {
    const byte = bytes[at] ?? 0
    if (byte === BACKSLASH && at + 1 < end) {
      at += 1
      const escaped = bytes[at] ?? 0
      if (escaped === PERCENT || escaped === UNDERSCORE) plain[length++] = BACKSLASH
      plain[length++] = MEANING[escaped] ?? 0
    } else {
      plain[length++] = byte
      if (byte === quote) at += 1
    }
  }
  return plain.subarray(0, length)
}
