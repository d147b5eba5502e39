import { PAGE, type Paper, type Style } from './paper.ts'

/** Fills pages from top to bottom: what no longer fits goes on the next page. */
export class Flow {
  readonly paper: Paper
  readonly #bottom: number
  /** How far down the page is filled. */
  y: number

  constructor(paper: Paper, { from, bottom }: { from: number; bottom: number }) {
    this.paper = paper
    this.y = from
    this.#bottom = bottom
  }

  /** The greatest height of anything on a page. */
  get pageHeight(): number {
    return this.#bottom - PAGE.top
  }

  /** Starts a new page if less than `height` is left; returns whether it did. */
  need(height: number): boolean {
    if (this.y + height <= this.#bottom) return false
    this.paper.addPage()
    this.y = PAGE.top
    return true
  }

  /** Prints a paragraph over the whole width, as one piece. */
  paragraph(text: string, style: Style = {}): void {
    const height = Math.min(this.paper.heightOf(text, PAGE.inner, style), this.pageHeight)
    this.need(height)
    const box = { x: PAGE.left, y: this.y, width: PAGE.inner, height }
    this.y += this.paper.text(text, box, style) + 4
  }
}
