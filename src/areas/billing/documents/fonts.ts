import fs from 'node:fs'
import path from 'node:path'
import { create, type Font } from 'fontkit'
import { ROOT } from '#platform/root.ts'

const FOLDER = path.join(ROOT, 'src/areas/billing/documents/fonts')
/** Letters that are printed as one glyph; text search in the file still finds the letters. */
const LIGATURES = 'ff fi fl ffi ffl'

export type Fonts = { readonly regular: Font; readonly bold: Font }

let fonts: Fonts | undefined

/**
 * The two fonts of all documents; they have Latin, Greek and Cyrillic letters. Read once, when the
 * first document is made: reading their tables takes longer than laying out a document.
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
  // The library remembers a glyph by the characters of its first use, and there may be none: the C of a
  // Ç. A document would then depend on those made before it, and have letters that a reader sees but
  // cannot copy.
  font.layout(LIGATURES)
  for (const codePoint of font.characterSet) font.glyphForCodePoint(codePoint)
  return font
}

const REPLACEMENT = '\ufffd'
/** Characters that change the direction of text: they could make a name look like another. */
const DIRECTION = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones to leave out
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g

/** The fonts of scripts that the default fonts lack; each is read when a document first needs it. */
const SCRIPT_FONTS = [
  { file: 'NotoSansThai-Regular.ttf', script: /\p{Script=Thai}/u },
  { file: 'NotoSansDevanagari-Regular.ttf', script: /\p{Script=Devanagari}/u },
  { file: 'NanumGothic.ttf', script: /\p{Script=Hangul}/u },
  {
    file: 'DroidSansFallbackFull.ttf',
    script:
      /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}\u3000-\u303f\u30fb\u30fc\uff01-\uffef]/u,
  },
] as const

const scriptFonts = new Map<string, Font>()

/** The font of a script, by the file name in a `Run`. */
export function scriptFont(file: string): Font {
  const font = scriptFonts.get(file) ?? fontOf(file)
  scriptFonts.set(file, font)
  return font
}

/** A piece of text that is printed in one go; `file` is null for the default font. */
export type Run = {
  readonly text: string
  readonly file: string | null
  /** Whether the run is read from right to left. */
  readonly rightToLeft: boolean
}

/** Words that are read from right to left, with the characters between them. */
const RIGHT_TO_LEFT =
  /[\p{Script=Arabic}\p{Script=Hebrew}][\p{Script=Arabic}\p{Script=Hebrew}\p{M}]*(?:[\s\p{P}]+[\p{Script=Arabic}\p{Script=Hebrew}][\p{Script=Arabic}\p{Script=Hebrew}\p{M}]*)*/gu

/**
 * Splits a text into runs that can be printed. A character without a glyph in any font becomes U+FFFD,
 * for a PDF/A may not refer to a missing glyph (ISO 19005-3, 6.2.11.8).
 */
export function runsOf(text: string, font: Font): Run[] {
  const runs: { text: string; file: string | null }[] = []
  for (const character of plainCharacters(text)) {
    const { file, printed } = glyphOf(character, font)
    const last = runs.at(-1)
    if (last?.file === file) last.text += printed
    else runs.push({ text: printed, file })
  }
  return runs.flatMap(directed)
}

/** Splits a run into runs of one direction. */
function directed({ text, file }: { text: string; file: string | null }): Run[] {
  const parts: Run[] = []
  let from = 0
  for (const { 0: found, index } of text.matchAll(RIGHT_TO_LEFT)) {
    if (index > from) parts.push({ text: text.slice(from, index), file, rightToLeft: false })
    parts.push({ text: found, file, rightToLeft: true })
    from = index + found.length
  }
  if (from < text.length) parts.push({ text: text.slice(from), file, rightToLeft: false })
  return parts
}

/** The text of runs. */
export function textOf(runs: readonly Run[]): string {
  return runs.map(({ text }) => text).join('')
}

function glyphOf(character: string, font: Font): { file: string | null; printed: string } {
  const codePoint = character.codePointAt(0) ?? 0
  if (character === '\n' || font.hasGlyphForCodePoint(codePoint)) {
    return { file: null, printed: character }
  }
  const file = SCRIPT_FONTS.find(({ script }) => script.test(character))?.file
  return file && scriptFont(file).hasGlyphForCodePoint(codePoint)
    ? { file, printed: character }
    : { file: null, printed: REPLACEMENT }
}

function plainCharacters(text: string): string {
  return text
    .toWellFormed()
    .normalize('NFC')
    .replace(/\r\n?/g, '\n')
    .replace(/\t/g, ' ')
    .replace(CONTROL, '')
    .replace(DIRECTION, '')
}
