import { dayOf } from '#lib/time.ts'
import { inGroups } from '../gateways/bank-transfer/reference.ts'
import type { Party, PrintedDocument } from './content.ts'
import { Flow } from './flow.ts'
import { sirenOf } from './identity.ts'
import { type Box, PAGE, Paper, type Style } from './paper.ts'
import { linesTable } from './table.ts'
import { wordingOf } from './wording.ts'

const NEUTRAL = '#3a4252'
const LINE = '#c9cdd5'
const SMALL: Style = { size: 8, color: '#5b6270' }
const TINY: Style = { size: 7, color: '#5b6270' }
const COLUMN = (PAGE.inner - 24) / 2
const RIGHT_COLUMN = PAGE.left + COLUMN + 24
/** Above the bottom edge; text longer than the footer has room for is cut. */
const FOOTER_BOTTOM = PAGE.height - 26
const FOOTER_HEIGHT = 44
const LOGO_HEIGHT = 48
const FOOTER_TEXT = PAGE.inner - 80

/**
 * A document as a PDF/A-3b, with its e-invoice inside if it has one. The same document makes the
 * same bytes: its own date is the only one in it.
 */
export async function pdfOf(
  document: PrintedDocument,
  { xml = null, logo = null }: { xml?: string | null; logo?: Buffer | null } = {},
): Promise<Buffer> {
  const { texts, number, issuedAt, seller, brand } = document
  const title = [titleOf(document), number].filter((it) => it !== null).join(' ')
  const xmlDescription = `Factur-X: ${title}`
  const facts = { title, author: seller.name, locale: texts.locale, at: issuedAt }
  const paper = new Paper({ ...facts, xml, xmlDescription })
  const color = brand.color ?? NEUTRAL
  const footerAt = FOOTER_BOTTOM - footerHeight(paper, document)
  const flow = new Flow(paper, { from: PAGE.top, bottom: footerAt - 14 })
  printHead(flow, document, { color, logo })
  printParties(flow, document)
  linesTable(flow, document, color)
  printTotals(flow, document)
  printClosing(flow, document)
  paper.onEveryPage((page, pages) => printFooter(paper, document, { page, pages, y: footerAt }))
  return paper.finish()
}

function titleOf({ kind, texts }: PrintedDocument): string {
  if (kind === 'pro_forma') return texts.proForma
  if (kind === 'credit_note') return texts.creditNote
  return kind === 'top_up' ? texts.topUp : texts.invoice
}

/** The shop's logo or else its name, and the document's kind, number and dates. */
function printHead(
  flow: Flow,
  document: PrintedDocument,
  { color, logo }: { color: string; logo: Buffer | null },
): void {
  const { paper } = flow
  const { texts, brand, number, issuedAt, dueOn, dueCents, settledOn, kind } = document
  const wording = wordingOf(document)
  paper.fill({ x: 0, y: 0, width: PAGE.width, height: 8 }, color)
  const left = { x: PAGE.left, y: flow.y, width: COLUMN, height: 66 }
  const brandHeight = logo
    ? paper.image(logo, { ...left, height: LOGO_HEIGHT })
    : paper.text(brand.brandName, left, { size: 17, bold: true })
  const rows: [string, string][] = [
    [kind === 'pro_forma' ? texts.madeOn : texts.issuedOn, wording.day(dayOf(issuedAt))],
  ]
  if (number !== null) rows.unshift([texts.number, number])
  if (settledOn !== null) rows.push([texts.paidOn, wording.day(settledOn)])
  if (dueOn !== null && dueCents > 0 && kind !== 'top_up') {
    rows.push([texts.dueOn, wording.day(dueOn)])
  }
  const box = { x: RIGHT_COLUMN, y: flow.y, width: COLUMN }
  let y = flow.y + paper.text(titleOf(document), box, { size: 17, bold: true }) + 5
  for (const row of rows) y += printPair(flow, row, { ...box, y }) + 2
  flow.y = Math.max(flow.y + brandHeight, y) + 16
}

/** Prints a label and its value beside it; returns the height of both. */
function printPair(flow: Flow, [label, value]: [string, string], { x, y, width }: Box): number {
  const { paper } = flow
  const labelHeight = paper.text(label, { x, y, width: 84 }, SMALL)
  return Math.max(labelHeight, paper.text(value, { x: x + 88, y, width: width - 88 }))
}

function printParties(flow: Flow, document: PrintedDocument): void {
  const { texts, seller, buyer } = document
  const from = flow.y
  const left = { x: PAGE.left, y: from, width: COLUMN }
  const right = { x: RIGHT_COLUMN, y: from, width: COLUMN }
  const ends = [
    printParty(flow, document, { label: texts.seller, party: seller, box: left }),
    printParty(flow, document, { label: texts.buyer, party: buyer, box: right }),
  ]
  flow.y = Math.max(...ends) + 20
}

type PartyPlace = { readonly label: string; readonly party: Party; readonly box: Box }

/** Prints a name and address, and returns where they end. */
function printParty(flow: Flow, document: PrintedDocument, { label, party, box }: PartyPlace) {
  const { paper } = flow
  const { texts } = document
  const siren = sirenOf(party)
  const register = party.registerNumber ?? siren
  const lines = [
    party.contact,
    party.line1,
    party.line2,
    [party.postcode, party.city].filter((it) => it !== null).join(' '),
    party.region,
    wordingOf(document).country(party.country),
    party.email,
    party.vatNumber && `${texts.vatNumber}: ${party.vatNumber}`,
    register && `${register === siren ? 'SIREN' : texts.registerNumber}: ${register}`,
  ]
  let y = box.y + paper.text(label, box, SMALL) + 2
  y += paper.text(party.name, { ...box, y }, { size: 10, bold: true }) + 1
  for (const line of lines) {
    if (line) y += paper.text(line, { ...box, y }) + 1
  }
  return y
}

type Sum = { readonly label: string; readonly amount: string; readonly strong?: boolean }

function sumsOf(document: PrintedDocument): Sum[] {
  const { texts, kind, taxes, netCents, taxCents, totalCents, dueCents } = document
  const { money, amount, rate } = wordingOf(document)
  const total = { label: texts.total, amount: money(totalCents), strong: true }
  const taxed = taxes.filter(({ category }) => category === 'S')
  const sums: Sum[] = [
    { label: texts.subtotal, amount: money(netCents) },
    ...taxed.map((tax) => ({
      label: `${texts.vat} ${rate(tax)} (${texts.base} ${amount(tax.netCents)})`,
      amount: money(tax.taxCents),
    })),
  ]
  if (taxed.length !== 1) sums.push({ label: texts.taxTotal, amount: money(taxCents) })
  if (kind === 'credit_note') return [...sums, { ...total, label: texts.credited }]
  if (kind === 'pro_forma') return [...sums, total]
  return [
    ...sums,
    total,
    ...paidSums(document),
    { label: texts.due, amount: money(dueCents), strong: true },
  ]
}

/** What was paid: each payment with its day and means, or the sum if those are not known. */
function paidSums(document: PrintedDocument): Sum[] {
  const { texts, paidCents, payments } = document
  const { money, day } = wordingOf(document)
  if (paidCents === 0) return []
  if (payments.length === 0) return [{ label: texts.paid, amount: money(paidCents) }]
  return payments.map(({ paidOn, means, amountCents }) => ({
    label: texts.paidBy(means, paidOn && day(paidOn)),
    amount: money(amountCents),
  }))
}

/** Prints the sums together on one page, under the column of amounts. */
function printTotals(flow: Flow, document: PrintedDocument): void {
  const { paper } = flow
  const x = PAGE.left + PAGE.inner * 0.42
  const labelWidth = 168
  const amountBox = { x: x + labelWidth + 8, width: PAGE.right - x - labelWidth - 8 }
  const sums = sumsOf(document).map(({ label, amount, strong = false }) => {
    const style = { bold: strong }
    const labelHeight = paper.heightOf(label, labelWidth, style)
    const amountHeight = paper.heightOf(amount, amountBox.width, style)
    return { label, amount, style, strong, height: Math.max(labelHeight, amountHeight) + 6 }
  })
  flow.y += 6
  flow.need(
    Math.min(
      flow.pageHeight,
      sums.reduce((sum, { height }) => sum + height, 0),
    ),
  )
  for (const { label, amount, style, strong, height } of sums) {
    flow.need(height)
    if (strong) paper.rule(flow.y, LINE, x)
    paper.text(label, { x, y: flow.y + 3, width: labelWidth }, style)
    paper.text(amount, { ...amountBox, y: flow.y + 3 }, { ...style, align: 'right' })
    flow.y += height
  }
  flow.y += 14
}

/** Prints the required statements (R3.11), and how to pay. */
function printClosing(flow: Flow, document: PrintedDocument): void {
  const { texts, kind, corrects, reason, mentions } = document
  const { day } = wordingOf(document)
  if (kind === 'pro_forma') flow.paragraph(texts.proFormaMention, { bold: true })
  if (corrects) {
    flow.paragraph(texts.corrects(corrects.number, day(dayOf(corrects.issuedAt))), { bold: true })
    flow.paragraph(texts.creditTerms)
  }
  if (reason !== null) flow.paragraph(`${texts.reason}: ${reason}`)
  const payment = paymentOf(document)
  if (payment !== null) flow.paragraph(payment)
  flow.y += 4
  for (const { text } of mentions) flow.paragraph(text, SMALL)
}

function paymentOf(document: PrintedDocument): string | null {
  const { seller, kind, number, dueCents, texts, transferReference } = document
  if (kind !== 'invoice' || number === null || dueCents === 0 || seller.iban === null) return null
  const iban = inGroups(seller.iban)
  const reference = transferReference?.startsWith('RF') ? inGroups(transferReference) : number
  const parts = [texts.payBy(iban), seller.bic && texts.bic(seller.bic), texts.reference(reference)]
  return `${parts.filter(Boolean).join(', ')}.`
}

function footerTexts({ brand, seller, texts }: PrintedDocument): string[] {
  const identity = [
    seller.name,
    seller.vatNumber && `${texts.vatNumber} ${seller.vatNumber}`,
    seller.registerNumber && `${texts.registerNumber} ${seller.registerNumber}`,
  ]
  return [brand.footer, identity.filter(Boolean).join(' · ')].filter((it) => it !== null)
}

function footerHeight(paper: Paper, document: PrintedDocument): number {
  const text = footerTexts(document).join('\n')
  return Math.min(paper.heightOf(text, FOOTER_TEXT, TINY), FOOTER_HEIGHT)
}

function printFooter(
  paper: Paper,
  document: PrintedDocument,
  { page, pages, y }: { page: number; pages: number; y: number },
): void {
  paper.rule(y - 6, LINE)
  const box = { x: PAGE.left, y, width: FOOTER_TEXT, height: FOOTER_HEIGHT }
  paper.text(footerTexts(document).join('\n'), box, TINY)
  const right = { x: PAGE.right - 76, y, width: 76 }
  paper.text(document.texts.page(page, pages), right, { ...TINY, align: 'right' })
}
