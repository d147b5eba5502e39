import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { inflateSync } from 'node:zlib'
import { CASES, ISSUED_AT, issued, type WantedDocument } from '#test/documents.ts'
import { jpegOf, pngOf } from '#test/images.ts'
import { textOfPdf } from '#test/pdf-text.ts'
import { readXml } from '#test/xml.ts'
import { type PrintedDocument, printedInvoice } from './content.ts'
import { documentFonts, runsOf, textOf } from './fonts.ts'
import { pdfOf } from './pdf.ts'
import { filesOf } from './render.ts'

const brand = { brandName: 'Moorage', color: '#0f766e', footer: 'Legal & small print' }

function printed(wanted: WantedDocument): PrintedDocument {
  const { row, parts } = issued(wanted)
  return printedInvoice(row, parts, { paidCents: row.paidCents, ...brand })
}

const [, mixed] = CASES[0] ?? ['', { lines: [] }]

/** What a PDF holds: its plain text of objects, and the content of every stream. */
function readPdf(file: Buffer) {
  const text = file.toString('latin1')
  const streams = [...text.matchAll(/<<((?:(?!>>\s*stream)[\s\S])*?)>>\s*stream\r?\n/g)].map(
    (it) => {
      const start = it.index + it[0].length
      const bytes = file.subarray(start, text.indexOf('\nendstream', start))
      const packed = it[1]?.includes('/FlateDecode')
      return { about: it[1] ?? '', content: packed ? inflateSync(bytes) : bytes }
    },
  )
  return { text, streams, pages: [...text.matchAll(/\/Type \/Page\b/g)].length }
}

/** The characters that the file says its glyphs stand for. */
function charactersOf({ streams }: ReturnType<typeof readPdf>): Set<string> {
  const maps = streams.map(({ content }) => content.toString('latin1'))
  const found = maps
    .filter((it) => it.includes('beginbfrange') || it.includes('beginbfchar'))
    .flatMap((it) => [...it.matchAll(/<([0-9a-f]{4,})>/gi)])
    .map(([, hex = '']) => Buffer.from(hex, 'hex').swap16().toString('utf16le'))
  return new Set(found.flatMap((it) => [...it]))
}

const files = await filesOf(printed(mixed))
const pdf = files[0]?.content ?? Buffer.alloc(0)

test('the PDF holds the e-invoice, byte by byte, as its alternative', () => {
  const { text, streams } = readPdf(pdf)
  const xml = files.find(({ format }) => format === 'cii')?.content
  assert.ok(xml)
  const embedded = streams.find(({ about }) => about.includes('/EmbeddedFile'))
  assert.deepEqual(embedded?.content, xml)
  assert.match(text, /\/AFRelationship \/Alternative/)
  assert.match(text, /\(factur-x\.xml\)/)
  assert.match(text, /\/AF \[/)
})

test('it says it is a PDF/A-3b and a Factur-X, in metadata that are well-formed', () => {
  const { streams } = readPdf(pdf)
  const metadata = streams.find(({ about }) => about.includes('/Metadata'))?.content.toString()
  assert.ok(metadata)
  const start = metadata.indexOf('<x:xmpmeta')
  const root = metadata.slice(start, metadata.lastIndexOf('<?xpacket'))
  readXml(`<?xml version="1.0" encoding="UTF-8"?>${root}`)
  assert.match(metadata, /<pdfaid:part>3<\/pdfaid:part>\s*<pdfaid:conformance>B</)
  assert.match(metadata, /<fx:DocumentFileName>factur-x\.xml</)
  assert.match(metadata, /<fx:ConformanceLevel>EN 16931</)
  assert.match(metadata, /Héberge &amp; Fils SAS/)
})

test('every font is embedded, and the only time in it is that of the invoice', () => {
  const { text } = readPdf(pdf)
  assert.equal([...text.matchAll(/\/FontFile2/g)].length, 2)
  assert.doesNotMatch(text, /\/Subtype \/Type1/)
  const times = new Set([...text.matchAll(/\(D:(\d{14})/g)].map(([, time]) => time))
  assert.deepEqual([...times], [ISSUED_AT.replace(/\D/g, '').slice(0, 14)])
  assert.match(text, /\/OutputIntents/)
  assert.doesNotMatch(text, /\/JavaScript|\/URI|\/Launch/)
})

test('the same document makes the same bytes, whatever was made before it', async () => {
  const other = { ...mixed, buyer: { name: 'ﬁ ﬂ ﬀ ﬃ ﬄ \u00a0\u00ad\u2126' } }
  const wanted = { ...mixed, buyer: { name: 'Griffin Office, fluffy final' } }
  const script = `
    const { issued } = await import('#test/documents.ts')
    const { printedInvoice } = await import('./src/areas/billing/documents/content.ts')
    const { pdfOf } = await import('./src/areas/billing/documents/pdf.ts')
    let made
    for (const wanted of ${JSON.stringify([other, wanted])}) {
      const { row, parts } = issued(wanted)
      const facts = { paidCents: 0, ...${JSON.stringify(brand)} }
      made = await pdfOf(printedInvoice(row, parts, facts))
    }
    process.stdout.write(made)`
  const cwd = `${import.meta.dirname}/../../../..`
  const args = ['--input-type=module-typescript', '-e', script]
  const after = execFileSync(process.execPath, args, { cwd, maxBuffer: 1e7 })
  const hash = (it: Buffer) => createHash('sha256').update(it).digest('hex')
  assert.equal(hash(after), hash(await pdfOf(printed(wanted))))
})

test('letters of Europe are printed; what the font has no glyph for is marked', async () => {
  const name = 'Łukasz Čapek Ελένη Юлия 🎮'
  const document = printed({ ...mixed, buyer: { name } })
  const known = charactersOf(readPdf(await pdfOf(document)))
  for (const letter of 'ŁČΕλένηЮлия') assert.ok(known.has(letter), letter)
  assert.ok(known.has('\ufffd'))
  const text = textOf(runsOf(name, documentFonts().regular))
  assert.equal(text, 'Łukasz Čapek Ελένη Юлия \ufffd')
})

test('controls, directions and halves of characters are not printed', () => {
  const text = 'a\u0000b\u202ec\u2066d\ud800e\tf\r\ng\u0007'
  assert.equal(textOf(runsOf(text, documentFonts().bold)), 'abcd\ufffde f\ng')
})

test('many and long lines fill pages, each with its number', async () => {
  const lines = [
    { unitPriceCents: 100_000_000, quantity: 100_000, description: 'W'.repeat(400) },
    { unitPriceCents: 100, description: 'word '.repeat(2000) },
    ...Array.from({ length: 80 }, (_, index) => ({
      unitPriceCents: 999,
      description: `Server ${index}`,
    })),
  ]
  const { pages } = readPdf(await pdfOf(printed({ lines })))
  assert.ok(pages >= 4 && pages <= 8, `${pages} pages`)
})

test('a pro forma says what it is, has no number, and holds no e-invoice', async () => {
  const made = await filesOf(printed({ ...mixed, number: null }))
  assert.deepEqual(
    made.map(({ format }) => format),
    ['pdf'],
  )
  const { text, streams } = readPdf(made[0]?.content ?? Buffer.alloc(0))
  const metadata = streams.find(({ about }) => about.includes('/Metadata'))?.content.toString()
  assert.match(metadata ?? '', /Pro forma invoice/)
  assert.doesNotMatch(metadata ?? '', /factur-x/)
  assert.doesNotMatch(text, /EmbeddedFile\b/)
})

test('a receipt for credit and a currency of three decimals have no e-invoice', async () => {
  const topUp = { lines: [{ unitPriceCents: 5000, category: 'O' as const }] }
  for (const wanted of [
    { ...topUp, kind: 'top_up' as const },
    { ...topUp, currency: 'KWD' },
  ]) {
    const made = await filesOf(printed(wanted))
    assert.deepEqual(
      made.map(({ format }) => format),
      ['pdf'],
    )
  }
})

test('a document in French is in French', async () => {
  const document = printed({ ...mixed, buyer: { locale: 'fr' } })
  const { streams } = readPdf(await pdfOf(document))
  const metadata = streams.find(({ about }) => about.includes('/Metadata'))?.content.toString()
  assert.match(metadata ?? '', /Facture INV-2026-000001/)
})

for (const [what, logo] of [
  ['a PNG', pngOf({ width: 300, height: 100 })],
  ['a JPEG', jpegOf({ width: 300, height: 100 })],
] as const) {
  test(`${what} as a logo stands in the PDF as it is, opaque, and makes the same bytes again`, async () => {
    const once = await pdfOf(printed(mixed), { logo })
    const { streams, text } = readPdf(once)
    const [image, ...more] = streams.filter(({ about }) => about.includes('/Subtype /Image'))
    assert.deepEqual(more, [])
    assert.match(image?.about ?? '', /\/Width 300/)
    assert.doesNotMatch(text, /\/SMask|\/Interpolate true/)
    const again = await pdfOf(printed(mixed), { logo: Buffer.from(logo) })
    assert.equal(Buffer.compare(once, again), 0)
    assert.notEqual(Buffer.compare(once, await pdfOf(printed(mixed))), 0)
  })
}

test('an invoice that is paid by transfer names the reference that is matched, also in the e-invoice', async () => {
  const document = printed({ ...mixed, seller: { iban: 'FR7630006000011234567890189' } })
  const made = await filesOf(document)
  const [paper, cii, ubl] = ['pdf', 'cii', 'ubl'].map(
    (format) => made.find((it) => it.format === format)?.content ?? Buffer.alloc(0),
  )
  assert.match(textOfPdf(paper ?? Buffer.alloc(0)).replace(/\s+/g, ' '), /RF18 5390 0754 7034/)
  assert.match(String(cii), /<ram:PaymentReference>RF18539007547034</)
  assert.match(String(ubl), /<cbc:PaymentID>RF18539007547034</)
})

test('a paid invoice prints when, how and how much was paid, and no due date', async () => {
  const { row, parts } = issued({ lines: [{ unitPriceCents: 1000 }], paidCents: 1200 })
  const card = { paidOn: '2026-05-04', means: 'card' as const, detail: 'Visa •••• 4242' }
  const credit = { paidOn: '2026-05-04', means: 'credit' as const, detail: null }
  const payments = [
    { ...card, amountCents: 700 },
    { ...credit, amountCents: 500 },
  ]
  const textFor = async (facts: object) => {
    const made = await pdfOf(printedInvoice(row, parts, { paidCents: 1200, ...brand, ...facts }))
    return textOfPdf(made).replace(/\s+/g, ' ')
  }
  const text = await textFor({ payments })
  assert.match(text, /Payment date 4 May 2026/)
  assert.match(text, /Paid on 4 May 2026 \(card Visa •••• 4242\) ?7\.00 EUR/)
  assert.match(text, /Paid on 4 May 2026 \(account credit\) ?5\.00 EUR/)
  assert.doesNotMatch(text, /Due date|Already paid/)
  // Of an invoice from before there is the sum alone.
  assert.match(await textFor({}), /Already paid ?12\.00 EUR/)
  assert.doesNotMatch(await textFor({}), /Due date/)
  const partly = await textFor({ paidCents: 700, payments: payments.slice(0, 1) })
  assert.match(partly, /Due date 18 May 2026/)
  assert.doesNotMatch(partly, /Payment date/)
})

const FOREIGN = {
  Japanese: '山田太郎 株式会社ゲームサーバー',
  Chinese: '王小明 上海遊戲有限公司',
  Korean: '김철수 주식회사 게임',
  Thai: 'สมชาย ใจดี บริษัทเกม',
  Hindi: 'राम कुमार',
  Arabic: 'محمد بن علي',
  Hebrew: 'דוד כהן',
}

for (const [language, name] of Object.entries(FOREIGN)) {
  test(`a name in ${language} is printed with a glyph for every letter, the same bytes each time`, async () => {
    const document = printed({ ...mixed, buyer: { name, company: `${name} Ltd. Größe` } })
    const made = await pdfOf(document)
    // Joined letters of Arabic are named by their forms, which are those letters (NFKC).
    const found = [...charactersOf(readPdf(made))].flatMap((it) => [it, it.normalize('NFKC')])
    const known = new Set(found.flatMap((it) => [...it]))
    assert.ok(!known.has('\ufffd'), 'no letter is missing')
    // Letters that are joined into one glyph are named together, marks in their own order.
    const letters = [...name.normalize('NFC')].filter((it) => /\p{L}/u.test(it))
    assert.deepEqual(
      letters.filter((it) => !known.has(it)),
      [],
    )
    assert.equal(Buffer.compare(made, await pdfOf(document)), 0)
  })
}

test('a long text of several scripts is broken into lines and ends with its box', async () => {
  const description = '株式会社ゲームサーバー Größe สมชายใจดี '.repeat(60)
  const { pages } = readPdf(await pdfOf(printed({ lines: [{ unitPriceCents: 1, description }] })))
  assert.ok(pages <= 3, `${pages} pages`)
})

test('a Polish invoice has every Polish letter, in every font', async () => {
  const letters = 'ąćęłńóśźż-ĄĆĘŁŃÓŚŹŻ'
  const document = printed({
    lines: [{ description: letters, unitPriceCents: 1299 }],
    buyer: { locale: 'pl', name: letters, city: 'Łódź', country: 'PL' },
  })
  const text = textOfPdf(await pdfOf(document))
  assert.ok(text.includes('Faktura'), text)
  assert.ok(text.includes(letters), text)
  assert.ok(text.includes('Łódź'), text)
  assert.ok(text.includes('12,99'), text)
})
