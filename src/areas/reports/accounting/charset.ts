/** The character sets that the programs of accountants read. */
export type Charset = 'windows-1252' | 'iso-8859-15'

/** What stands at 0x80 to 0x9F; a space where the set has nothing. */
const WINDOWS_CONTROLS = '€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ'
const ISO_CHANGES = {
  164: '€',
  166: 'Š',
  168: 'š',
  180: 'Ž',
  184: 'ž',
  188: 'Œ',
  189: 'œ',
  190: 'Ÿ',
}

const BYTES: Readonly<Record<Charset, ReadonlyMap<string, number>>> = {
  'windows-1252': new Map([
    ...latin(),
    ...[...WINDOWS_CONTROLS].flatMap((letter, at) =>
      letter === ' ' ? [] : [[letter, 0x80 + at] as const],
    ),
  ]),
  'iso-8859-15': new Map([
    ...latin().filter(([, byte]) => !(byte in ISO_CHANGES)),
    ...Object.entries(ISO_CHANGES).map(([byte, letter]) => [letter, Number(byte)] as const),
  ]),
}

/** The characters that both sets share: ASCII, and most of the upper half of ISO 8859-1. */
function latin(): (readonly [string, number])[] {
  return Array.from(
    { length: 256 },
    (_, byte) => [String.fromCharCode(byte), byte] as const,
  ).filter(([, byte]) => (byte >= 0x20 && byte < 0x7f) || byte >= 0xa0)
}

/** Letters that do not become another one by losing their accent, and punctuation. */
const LETTERS: Readonly<Record<string, string>> = {
  ...{ ł: 'l', Ł: 'L', đ: 'd', Đ: 'D', ħ: 'h', Ħ: 'H', ŧ: 't', Ŧ: 'T', ı: 'i', ŋ: 'n', Ŋ: 'N' },
  ...{ ẞ: 'SS', '–': '-', '—': '-', '‘': "'", '’': "'", '‚': "'", '“': '"', '”': '"', '„': '"' },
  ...{ '…': '...', '•': '*', '‹': '<', '›': '>', '™': 'TM', '‐': '-', '‑': '-', '−': '-' },
}

const FORMULA = /^[=+\-@]/

/**
 * A text as one line of a character set, cut to a length: accents that the set lacks are left out, other
 * characters that it lacks become `?`, and text that a spreadsheet would run as a formula gets an apostrophe.
 */
export function plainText(charset: Charset, text: string, longest: number): string {
  const known = BYTES[charset]
  const letters = [...text.normalize('NFC')].map((letter) => {
    if (/[\s\p{Cc}\p{Z}]/u.test(letter)) return ' '
    if (/[\p{Cf}\p{M}\p{Emoji_Modifier}]/u.test(letter)) return ''
    if (known.has(letter)) return letter
    const replaced = LETTERS[letter] ?? letter.normalize('NFD').replace(/\p{M}/gu, '')
    return [...replaced].every((it) => known.has(it)) ? replaced : '?'
  })
  const line = letters.join('').replace(/ +/g, ' ').trim()
  return (FORMULA.test(line) ? `'${line}` : line).slice(0, longest).trimEnd()
}

/** The bytes of a text in a character set. RangeError for a character that the set does not have. */
export function encoded(charset: Charset, text: string): Uint8Array {
  const known = BYTES[charset]
  return Uint8Array.from(text, (letter) => {
    const byte = LINE_BYTES[letter] ?? known.get(letter)
    if (byte === undefined) throw new RangeError(`${charset} has no ${letter}`)
    return byte
  })
}

const LINE_BYTES: Readonly<Record<string, number>> = { '\t': 9, '\n': 10, '\r': 13 }
