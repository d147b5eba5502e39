import fs from 'node:fs'
import path from 'node:path'
import { create, type Font } from 'fontkit'
import { ROOT } from '#platform/root.ts'

const FOLDER = path.join(ROOT, 'src/areas/billing/documents/fonts')
/** Letters that stand as one glyph: a reader of the file finds the letters all the same. */
const LIGATURES = 'ff fi fl ffi ffl'

export type Fonts = { readonly regular: Font; readonly bold: Font }

let fonts: Fonts | undefined

/**
 * The two fonts of all documents; they have Latin, Greek and Cyrillic letters. Read when the first
 * document is made, and once: reading their tables takes longer than setting a document.
 */
export function documentFonts(): Fonts {
  fonts ??= {
    regular: fontOf('DejaVuSansCondensed.ttf'),
    bold: fontOf('DejaVuSansCondensed-Bold.ttf'),
  }
  return fonts
}

function fontOf(name: string): Font {
  const font = create(fs.readFileSync(path.join(FOLDER, name)))
  // The library remembers a glyph by the characters it was first used for, and that may be none: the C
  // of a Ç. A document would then depend on those that were made before it, and have letters that a
  // reader sees and cannot copy.
  font.layout(LIGATURES)
  for (const codePoint of font.characterSet) font.glyphForCodePoint(codePoint)
  return font
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
export function printable(text: string, font: Font): string {
  const plain = text
    .toWellFormed()
    .normalize('NFC')
    .replace(/\r\n?/g, '\n')
    .replace(/\t/g, ' ')
    .replace(CONTROL, '')
    .replace(DIRECTION, '')
  let printed = ''
  for (const character of plain) {
    printed +=
      character === '\n' || font.hasGlyphForCodePoint(character.codePointAt(0) ?? 0)
        ? character
        : REPLACEMENT
  }
  return printed
}
