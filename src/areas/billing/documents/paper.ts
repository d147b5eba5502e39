import { buffer } from 'node:stream/consumers'
import PDFDocument from 'pdfkit'
import type { Instant } from '#lib/time.ts'
import { documentFonts, type Run, runsOf, textOf } from './fonts.ts'
import { creatorMetadata, FACTUR_X_FILE, FACTUR_X_METADATA } from './metadata.ts'
import { MixedText } from './mixed-text.ts'

/** How a text is laid out; measures in points. */
export type Style = {
  readonly size?: number
  readonly bold?: boolean
  readonly color?: string
  readonly align?: 'left' | 'right'
}

/** The position of a text. A text higher than `height` ends in an ellipsis. */
export type Box = {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height?: number
}

export type PaperFacts = {
  readonly title: string
  readonly author: string
  readonly locale: string
  /** The only time in the file: the same content always has the same bytes. */
  readonly at: Instant
  /** The e-invoice inside; null for a document that has none. */
  readonly xml: string | null
  readonly xmlDescription: string
}

const INK = '#1f2430'
const [PAGE_WIDTH, PAGE_HEIGHT] = [595.28, 841.89]
const FIRST_COLUMN = 48

/** The paper's measures in points (A4): texts are between `left` and `right`. */
export const PAGE = {
  width: PAGE_WIDTH,
  height: PAGE_HEIGHT,
  left: FIRST_COLUMN,
  right: PAGE_WIDTH - FIRST_COLUMN,
  inner: PAGE_WIDTH - 2 * FIRST_COLUMN,
  top: 44,
} as const

/** PDF/A-3b pages with embedded fonts; texts are printed exactly where the caller places them. */
export class Paper {
  readonly #pdf: PDFKit.PDFDocument
  readonly #facts: PaperFacts

  constructor(facts: PaperFacts) {
    this.#facts = facts
    const at = new Date(facts.at)
    this.#pdf = new PDFDocument({
      size: 'A4',
      // Texts are placed by hand: a margin would make the library start pages by itself.
      margin: 0,
      pdfVersion: '1.7',
      subset: 'PDF/A-3b',
      lang: facts.locale,
      displayTitle: true,
      bufferPages: true,
      info: {
        Title: facts.title,
        Creator: 'Moorage',
        Producer: 'Moorage',
        CreationDate: at,
      },
      // The library's default font is not embedded, which a PDF/A may not have.
      font: '',
    })
    const fonts = documentFonts()
    // The library accepts fonts that are already parsed; its types do not say so.
    this.#pdf.registerFont('regular', fonts.regular as unknown as Buffer)
    this.#pdf.registerFont('bold', fonts.bold as unknown as Buffer)
  }

  /** Prints a text and returns its height. */
  text(text: string, box: Box, style: Style = {}): number {
    const { x, y, width, height } = box
    const runs = this.#set(text, style)
    this.#pdf.fillColor(style.color ?? INK)
    if (isMixed(runs)) return this.#mixed(style).print(runs, box, style.align)
    const printed = textOf(runs)
    const options = { width, align: style.align ?? 'left' }
    const needed = this.#pdf.heightOfString(printed, options)
    const cut = height !== undefined && needed > height
    this.#pdf.text(printed, x, y, { ...options, ...(cut && { height, ellipsis: true }) })
    return cut ? height : needed
  }

  /** The height that a text would have. */
  heightOf(text: string, width: number, style: Style = {}): number {
    const runs = this.#set(text, style)
    if (isMixed(runs)) return this.#mixed(style).heightOf(runs, width)
    return this.#pdf.heightOfString(textOf(runs), { width })
  }

  /** Places a PNG or JPEG in the upper left of a box, as large as fits; returns the box's height. */
  image(content: Buffer, { x, y, width, height }: Required<Box>): number {
    this.#pdf.image(content, x, y, { fit: [width, height] })
    return height
  }

  /** Fills a rectangle. */
  fill({ x, y, width, height }: Required<Box>, color: string): void {
    this.#pdf.rect(x, y, width, height).fill(color)
  }

  /** Draws a thin line across the page. */
  rule(y: number, color: string, from: number = PAGE.left): void {
    this.#pdf.moveTo(from, y).lineTo(PAGE.right, y).lineWidth(0.5).stroke(color)
  }

  addPage(): void {
    this.#pdf.addPage()
  }

  /** Goes through all pages again, for content that is printed on each of them. */
  onEveryPage(print: (page: number, pages: number) => void): void {
    const { start, count } = this.#pdf.bufferedPageRange()
    for (let index = 0; index < count; index += 1) {
      this.#pdf.switchToPage(start + index)
      print(index + 1, count)
    }
  }

  /** The finished file. */
  async finish(): Promise<Buffer> {
    const { xml, author, at, xmlDescription } = this.#facts
    this.#pdf.appendXML(creatorMetadata(author))
    if (xml !== null) {
      const date = new Date(at)
      // The library's types lack the relationship.
      const options = {
        name: FACTUR_X_FILE,
        type: 'text/xml',
        description: xmlDescription,
        creationDate: date,
        modifiedDate: date,
        relationship: 'Alternative',
      }
      this.#pdf.file(Buffer.from(xml), options)
      this.#pdf.appendXML(FACTUR_X_METADATA)
    }
    const finished = buffer(this.#pdf)
    this.#pdf.end()
    return finished
  }

  #set(text: string, { size = 9, bold = false }: Style): Run[] {
    this.#pdf.font(bold ? 'bold' : 'regular').fontSize(size)
    return runsOf(text, documentFonts()[bold ? 'bold' : 'regular'])
  }

  #mixed({ size = 9, bold = false }: Style): MixedText {
    return new MixedText(this.#pdf, { size, bold })
  }
}

function isMixed(runs: readonly Run[]): boolean {
  return runs.some(({ file, rightToLeft }) => file !== null || rightToLeft)
}
