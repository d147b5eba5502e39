import { documentFonts, type Run, scriptFont, textOf } from './fonts.ts'
import type { Box } from './paper.ts'

/** A piece of a line that must not be broken, with its width. */
type Piece = { readonly runs: readonly Run[]; readonly width: number }

const ELLIPSIS: Run = { text: '…', file: null, rightToLeft: false }
/** Finds the ends of words also in scripts that write no spaces. */
const WORDS = new Intl.Segmenter('en', { granularity: 'word' })
const CHARACTERS = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** Lays out texts whose parts need different fonts, which the PDF library does not do by itself. */
export class MixedText {
  readonly #pdf: PDFKit.PDFDocument
  readonly #size: number
  readonly #bold: boolean

  constructor(pdf: PDFKit.PDFDocument, { size, bold }: { size: number; bold: boolean }) {
    this.#pdf = pdf
    this.#size = size
    this.#bold = bold
  }

  heightOf(runs: readonly Run[], width: number): number {
    return this.#linesOf(runs, width).length * this.#lineHeight(runs)
  }

  /** Prints a text and returns its height. One that is higher than its box ends in an ellipsis. */
  print(runs: readonly Run[], box: Box, align: 'left' | 'right' = 'left'): number {
    const { x, y, width, height = Number.POSITIVE_INFINITY } = box
    const lineHeight = this.#lineHeight(runs)
    const lines = this.#linesOf(runs, width)
    const room = Math.max(1, Math.floor(height / lineHeight))
    const cut = lines.length > room
    const baseline = this.#ascent()
    for (const [index, line] of lines.slice(0, room).entries()) {
      const isLast = cut && index === room - 1
      const shown = isLast ? [...line, { runs: [ELLIPSIS], width: 0 }] : line
      const all = joined(shown.flatMap((piece) => piece.runs))
      let at = align === 'right' ? x + width - this.#widthOf(all) : x
      for (const run of all) at += this.#printRun(run, at, y + index * lineHeight + baseline)
    }
    this.#use(null)
    return cut ? height : lines.length * lineHeight
  }

  #printRun(run: Run, x: number, y: number): number {
    this.#use(run.file)
    // Named features, even an empty list, make the library lay out the run as a whole, in its
    // direction.
    const whole = { features: [] }
    this.#pdf.text(run.text, x, y, { lineBreak: false, baseline: 'alphabetic', ...whole })
    return this.#pdf.widthOfString(run.text, whole)
  }

  #linesOf(runs: readonly Run[], width: number): Piece[][] {
    const lines: Piece[][] = [[]]
    let used = 0
    for (const piece of this.#piecesOf(runs, width)) {
      const isBreak = piece.runs.some(({ text }) => text === '\n')
      if (isBreak || (used > 0 && used + piece.width > width)) {
        lines.push([])
        used = 0
      }
      // A space at the beginning of a line is not printed.
      const isBlank = piece.runs.every(({ text }) => text.trim() === '')
      if (isBreak || (isBlank && used === 0)) continue
      lines.at(-1)?.push(piece)
      used += piece.width
    }
    return lines
  }

  /** The text between its possible line breaks; a word wider than a line is split. */
  #piecesOf(runs: readonly Run[], width: number): Piece[] {
    const text = textOf(runs)
    return [...WORDS.segment(text)].flatMap(({ segment, index }) => {
      const piece = this.#pieceOf(runs, index, segment)
      if (piece.width <= width) return [piece]
      return [...CHARACTERS.segment(segment)].map((it) =>
        this.#pieceOf(runs, index + it.index, it.segment),
      )
    })
  }

  #pieceOf(runs: readonly Run[], from: number, segment: string): Piece {
    const parts: Run[] = []
    let start = 0
    for (const { text, file, rightToLeft } of runs) {
      const part = text.slice(Math.max(0, from - start), Math.max(0, from + segment.length - start))
      if (part !== '') parts.push({ text: part, file, rightToLeft })
      start += text.length
    }
    return { runs: parts, width: this.#widthOf(parts) }
  }

  #widthOf(runs: readonly Run[]): number {
    let width = 0
    for (const { text, file } of runs) {
      this.#use(file)
      width += this.#pdf.widthOfString(text)
    }
    return width
  }

  /** The height of a line that has room for all fonts of a text. */
  #lineHeight(runs: readonly Run[]): number {
    const files = new Set([null, ...runs.map(({ file }) => file)])
    const heights = [...files].map((file) => {
      this.#use(file)
      return this.#pdf.currentLineHeight(true)
    })
    return Math.max(...heights)
  }

  #ascent(): number {
    const { ascent, unitsPerEm } = documentFonts()[this.#bold ? 'bold' : 'regular']
    return (ascent / unitsPerEm) * this.#size
  }

  /** Selects the font of a script, or the default one. */
  #use(file: string | null): void {
    const usual = this.#bold ? 'bold' : 'regular'
    if (file !== null) this.#pdf.registerFont(file, scriptFont(file) as unknown as Buffer)
    this.#pdf.font(file ?? usual).fontSize(this.#size)
  }
}

/** Joins runs of one font and direction, so that words from right to left are in their order. */
function joined(runs: readonly Run[]): Run[] {
  const all: Run[] = []
  for (const run of runs) {
    const last = all.at(-1)
    const same = last?.file === run.file && last.rightToLeft === run.rightToLeft
    if (last && same) all.splice(-1, 1, { ...last, text: last.text + run.text })
    else all.push(run)
  }
  return all
}
