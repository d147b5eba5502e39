import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cents } from '#lib/money.ts'
import { CASES, creditNoteOf, issued } from '#test/documents.ts'
import { pngOf } from '#test/images.ts'
import { unmetDemands } from '#test/pdf-a.ts'
import { creditGroups } from '../credit-notes/rules.ts'
import { type PrintedDocument, printedCreditNote, printedInvoice } from './content.ts'
import { filesOf } from './render.ts'

const facts = { paidCents: 0, brandName: 'Moorage', color: '#0f766e', footer: 'Legal' }
const [, mixed] = CASES[0] ?? ['', { lines: [] }]
const NAMES = '山田太郎 김철수 สมชาย राम محمد דוד Größe 🎮'
const invoice = issued(mixed)
const foreign = issued({ ...mixed, buyer: { name: NAMES } })

async function pdfOf(document: PrintedDocument, logo: Buffer | null = null): Promise<Buffer> {
  const files = await filesOf(document, logo)
  return files.find(({ format }) => format === 'pdf')?.content ?? Buffer.alloc(0)
}

function creditNote(): PrintedDocument {
  const taxes = invoice.parts.taxes.map((tax) => ({ ...tax, creditedCents: cents(0) }))
  const { note, groups } = creditNoteOf(invoice, creditGroups(cents(1000), taxes))
  return printedCreditNote(note, groups, facts)
}

const printed = printedInvoice(invoice.row, invoice.parts, facts)
const pdf = await pdfOf(printed)

test('an invoice and a credit note meet the demands of PDF/A-3b and of Factur-X, one by one', async () => {
  assert.deepEqual(unmetDemands(pdf, { attachment: true }), [])
  assert.deepEqual(unmetDemands(await pdfOf(creditNote()), { attachment: true }), [])
})

test('so do one with letters of many scripts, one with a logo, and a pro forma without a file', async () => {
  const letters = await pdfOf(printedInvoice(foreign.row, foreign.parts, facts))
  assert.deepEqual(unmetDemands(letters, { attachment: true }), [])
  const withLogo = await pdfOf(printed, pngOf({ width: 300, height: 100 }))
  assert.deepEqual(unmetDemands(withLogo, { attachment: true }), [])
  const { row, parts } = issued({ ...mixed, number: null })
  assert.deepEqual(
    unmetDemands(await pdfOf(printedInvoice(row, parts, facts)), { attachment: false }),
    [],
  )
})

const TAMPERED = [
  ['a header with four bytes above 127', '%\xff\xff\xff\xff', '%aaaa'],
  ['a file identifier', '/ID [<', '/IX [<'],
  ['no encryption', '/Root 3 0 R', '/Encrypt 1 0 R /Root 3 0 R'],
  ['no scripts or actions', '/Type /Catalog', '/Type /Catalog /OpenAction 1 0 R'],
  ['no scripts or actions', '/UserUnit 1', '/AA << /O << /S /JavaScript >> >>'],
  ['one output intent with an ICC profile of three colors', '/OutputIntents [', '/OutputIntent [ '],
  ['one output intent with an ICC profile of three colors', '/N 3', '/N 4'],
  ['no colors but those of the output intent', '/ColorSpace <<', '/ColorSpace /DeviceCMYK <<'],
  ['every font embedded', '/FontFile2', '/FontFileX'],
  ['every font mapped to Unicode', '/ToUnicode', '/ToNothing'],
  [
    'metadata without a filter',
    '/Type /Metadata\n/Subtype /XML',
    '/Type /Metadata\n/Subtype /XML /Filter /None',
  ],
  ['metadata that say PDF/A-3B', '<pdfaid:part>3<', '<pdfaid:part>2<'],
  ['the file associated with the document', '/AF [', '/AX ['],
  ['the relationship of the file', '/AFRelationship /Alternative', '/AFRelationship /Unspecific_'],
  ['the file listed by name', '/EmbeddedFiles', '/EmbeddedFileX'],
  ['the media type and date of the file', '/Subtype /text#2Fxml', ''],
  ['the properties of Factur-X', '<fx:ConformanceLevel>EN 16931<', '<fx:ConformanceLevel>BASIC<'],
  ['the extension schema of Factur-X', '<pdfaSchema:prefix>fx<', '<pdfaSchema:prefix>xx<'],
] as const

for (const [demand, from, to] of TAMPERED) {
  test(`a file without "${from.split('\n')[0]}" as it was does not meet "${demand}"`, () => {
    const text = pdf.toString('latin1')
    assert.ok(text.includes(from), from)
    const tampered = Buffer.from(text.replaceAll(from, to), 'latin1')
    assert.ok(unmetDemands(tampered, { attachment: true }).includes(demand))
  })
}
