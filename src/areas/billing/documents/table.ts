import type { PrintedTexts } from '#notifications'
import type { PrintedDocument, PrintedLine } from './content.ts'
import type { Flow } from './flow.ts'
import { PAGE, type Style } from './paper.ts'
import { type Wording, wordingOf } from './wording.ts'

type Column = {
  readonly title: string
  readonly width: number
  readonly align: 'left' | 'right'
  readonly cell: (line: PrintedLine) => string
}

const GAP = 8
const PADDING = 5
const LINE = '#d5d9e0'
const HEADING: Style = { size: 8, bold: true }
const PERIOD: Style = { size: 8, color: '#5b6270' }

/** Prints the lines of a document. A row stays whole; each page begins with the headings. */
export function linesTable(flow: Flow, document: PrintedDocument, color: string): void {
  const { lines, texts } = document
  const wording = wordingOf(document)
  const columns = columnsOf(document, wording)
  const headings = () => printHeadings(flow, columns, color)
  flow.need(60)
  headings()
  for (const line of lines) printRow(flow, columns, line, { texts, wording, headings })
}

function columnsOf({ lines, texts }: PrintedDocument, wording: Wording): Column[] {
  const right = { align: 'right' } as const
  const discounted = lines.some(({ discountCents }) => discountCents !== 0)
  const numbers: Column[] = [
    { ...right, title: texts.quantity, width: 48, cell: (it) => wording.quantity(it.quantity) },
    { ...right, title: texts.unitPrice, width: 84, cell: (it) => wording.unitPrice(it) },
    ...(discounted
      ? [{ ...right, title: texts.discount, width: 62, cell: discountOf(wording) }]
      : []),
    { ...right, title: texts.vat, width: 44, cell: (it) => wording.rate(it) },
    { ...right, title: texts.net, width: 84, cell: (it) => wording.amount(it.netCents) },
  ]
  const width = PAGE.inner - numbers.reduce((sum, it) => sum + it.width + GAP, 0)
  const cell = ({ description }: PrintedLine) => description
  return [{ title: texts.description, width, align: 'left', cell }, ...numbers]
}

function discountOf({ amount }: Wording) {
  return ({ discountCents }: PrintedLine) => (discountCents === 0 ? '' : amount(-discountCents))
}

function printHeadings(flow: Flow, columns: readonly Column[], color: string): void {
  const titles = columns.map((column) => ({ column, text: column.title }))
  const height = printCells(flow, titles, HEADING)
  flow.y += height + 4
  flow.paper.fill({ x: PAGE.left, y: flow.y, width: PAGE.inner, height: 1.2 }, color)
  flow.y += PADDING
}

type RowContext = { texts: PrintedTexts; wording: Wording; headings: () => void }

function printRow(
  flow: Flow,
  columns: readonly Column[],
  line: PrintedLine,
  { wording, headings }: RowContext,
): void {
  const { paper } = flow
  const first = columns[0]?.width ?? PAGE.inner
  const { period } = line
  const dates = period && `${wording.shortDay(period.from)} – ${wording.shortDay(period.to)}`
  const datesHeight = dates === null ? 0 : paper.heightOf(dates, first, PERIOD)
  const cells = columns.map((column) => ({ column, text: column.cell(line) }))
  const heights = cells.map(({ column, text }) => paper.heightOf(text, column.width))
  // Headings are above the row on a new page; a row higher than a whole page is cut.
  const room = flow.pageHeight - 40 - datesHeight
  const height = Math.min(Math.max(...heights), room)
  const description = Math.min(heights[0] ?? 0, height)
  if (flow.need(Math.max(height, description + datesHeight) + PADDING * 2)) headings()
  printCells(flow, cells, {}, height)
  if (dates !== null) {
    const box = { x: PAGE.left, y: flow.y + description, width: first }
    paper.text(dates, box, PERIOD)
  }
  flow.y += Math.max(height, description + datesHeight) + PADDING
  paper.rule(flow.y, LINE)
  flow.y += PADDING
}

type Cell = { readonly column: Column; readonly text: string }

/** Prints cells beside each other and returns the height of the highest. */
function printCells(flow: Flow, cells: readonly Cell[], style: Style, limit?: number): number {
  let x: number = PAGE.left
  let highest = 0
  for (const { column, text } of cells) {
    const { width, align } = column
    const box = { x, y: flow.y, width, ...(limit !== undefined && { height: limit }) }
    if (text !== '') highest = Math.max(highest, flow.paper.text(text, box, { ...style, align }))
    x += width + GAP
  }
  return highest
}
