import fs from 'node:fs'
import path from 'node:path'

/** A font that documents are set in: its file, and the characters it has. */
export type Font = { readonly file: Buffer; readonly has: (codePoint: number) => boolean }

/** The format of a map from all of Unicode to glyphs, and how its groups are laid out. */
const FULL_UNICODE = 12
const GROUPS_AT = 16
const GROUP_BYTES = 12
const FOLDER = path.join(import.meta.dirname, 'fonts')

/** The two fonts of all documents; they have Latin, Greek and Cyrillic letters. */
export const REGULAR = fontOf('DejaVuSansCondensed.ttf')
export const BOLD = fontOf('DejaVuSansCondensed-Bold.ttf')

function fontOf(name: string): Font {
  const file = fs.readFileSync(path.join(FOLDER, name))
  return { file, has: coverageOf(file) }
}

const REPLACEMENT = '\ufffd'
/** What changes the direction of the text around it: it could make a name read as another. */
const DIRECTION = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones to leave out
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g

/**
 * A text as it can be printed: what the font has no picture of becomes U+FFFD, for a PDF/A may not
 * name a glyph that is missing (ISO 19005-3, 6.2.11.8).
 */
export function printable(text: string, { has }: Font): string {
  const plain = text
    .toWellFormed()
    .normalize('NFC')
    .replace(/\r\n?/g, '\n')
    .replace(/\t/g, ' ')
    .replace(CONTROL, '')
    .replace(DIRECTION, '')
  let printed = ''
  for (const character of plain) {
    printed += character === '\n' || has(character.codePointAt(0) ?? 0) ? character : REPLACEMENT
  }
  return printed
}

/** The characters of a TrueType font, from the groups of its full Unicode map (cmap, format 12). */
function coverageOf(file: Buffer): (codePoint: number) => boolean {
  const cmap = tableOf(file, 'cmap')
  const count = file.readUInt16BE(cmap + 2)
  const starts = Array.from(
    { length: count },
    (_, index) => cmap + file.readUInt32BE(cmap + 4 + index * 8 + 4),
  )
  const start = starts.find((it) => file.readUInt16BE(it) === FULL_UNICODE)
  if (start === undefined) throw new Error('The font has no map of all of Unicode')
  const known = new Set<number>()
  const end = start + GROUPS_AT + file.readUInt32BE(start + 12) * GROUP_BYTES
  for (let at = start + GROUPS_AT; at < end; at += GROUP_BYTES) {
    const last = file.readUInt32BE(at + 4)
    for (let it = file.readUInt32BE(at); it <= last; it += 1) known.add(it)
  }
  return (codePoint) => known.has(codePoint)
}

function tableOf(file: Buffer, name: string): number {
  const count = file.readUInt16BE(4)
  for (let at = 12; at < 12 + count * 16; at += 16) {
    if (file.toString('latin1', at, at + 4) === name) return file.readUInt32BE(at + 8)
  }
  throw new Error(`The font has no table ${name}`)
}
