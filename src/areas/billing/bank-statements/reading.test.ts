import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Problem } from '#lib/problem.ts'
import { camtStatement } from '#test/bank-files.ts'
import { referenceOf } from '../gateways/bank-transfer/reference.ts'
import { readCamt } from './camt.ts'
import { readCsv, rowsOf } from './csv.ts'
import { keysOf } from './entry.ts'
import { namesMeet, numbersIn, referencesIn } from './rules.ts'
import { readXml, textAt } from './xml.ts'

test('a CAMT.053 statement is read: what came in, and how often something left', async () => {
  const { accounts, entries, debits } = await readCamt(
    camtStatement([
      { amount: '12.50', text: 'RF18 5390 0754 7034', name: 'Ada & Söhne', id: 'A1' },
      { amount: '3', debit: true },
      { amount: '7.00', status: 'PDNG' },
    ]),
  )
  assert.deepEqual(accounts, ['DE02120300000000202051'])
  assert.equal(debits, 1)
  assert.deepEqual(entries, [
    {
      ...{ bookedOn: '2030-01-07', amountCents: 1250, currency: 'EUR', bankReference: 'A1' },
      ...{ payerName: 'Ada & Söhne', payerIban: 'DE89370400440532013000' },
      remittance: 'RF18 5390 0754 7034',
    },
  ])
})

test('a collective entry is one payment for each of its parts, if they make up the whole', async () => {
  const parts = [
    { amount: '10.00', text: 'one' },
    { amount: '2.50', text: 'two' },
  ]
  const split = (await readCamt(camtStatement([{ amount: '12.50', parts }]))).entries
  assert.deepEqual(
    split.map(({ amountCents, remittance }) => [amountCents, remittance]),
    [
      [1000, 'one'],
      [250, 'two'],
    ],
  )
  const whole = (await readCamt(camtStatement([{ amount: '13.50', parts }]))).entries
  assert.deepEqual(
    whole.map(({ amountCents, remittance }) => [amountCents, remittance]),
    [[1350, 'one two']],
  )
})

test('the codes of newer versions and names with a prefix are read too', async () => {
  const text = camtStatement([{ amount: '1.00', text: 'x' }])
    .replaceAll('<Sts>BOOK</Sts>', '<Sts><Cd>BOOK</Cd></Sts>')
    .replace(/<(\/?)(?=[A-Z])/g, '<$1ns2:')
  assert.equal((await readCamt(text)).entries.length, 1)
})

const refusedFiles = [
  ['nothing', ''],
  ['something else', '<Document><Other/></Document>'],
  ['a file that was cut off', camtStatement([{ amount: '1.00' }]).slice(0, -20)],
  ['a file with a DTD', `<!DOCTYPE x [<!ENTITY a "b">]>${camtStatement([])}`],
  ['an entity of its own', '<Document>&a;</Document>'],
  ['no amount', camtStatement([{ amount: 'much' }])],
  ['a currency nobody has', camtStatement([{ amount: '1.00', currency: 'XQQ' }])],
  ['more decimals than there are', camtStatement([{ amount: '1.005' }])],
  ['no day', camtStatement([{ amount: '1.00', day: '2030-02-30' }])],
  ['elements without end', '<a>'.repeat(100)],
  ['attributes without end', `<Document ${'a="" '.repeat(100_000)}>`],
  ['a text without end', `<Document>${'&lt;'.repeat(50_000)}</Document>`],
] as const
for (const [what, text] of refusedFiles) {
  test(`${what} is refused with 422`, async () => {
    await assert.rejects(readCamt(text), { statusCode: 422, code: 'statement_unreadable' })
  })
}

test('whatever is uploaded is read or refused', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: fc.constantFrom('<', '>', 'a', '/', '"', '&', ' ', '=') }),
      async (it) => {
        try {
          await readCamt(it)
        } catch (error) {
          assert.ok(error instanceof Problem)
        }
      },
    ),
  )
})

test('XML is read with its entities, sections and comments', async () => {
  const root = await readXml('<a x="1&amp;2"><!-- <b> --><b>&#228;&#xE9;<![CDATA[<c>]]></b></a>')
  assert.equal(root.attributes.get('x'), '1&2')
  assert.equal(textAt(root, 'b'), 'äé<c>')
})

const german = {
  columns: {
    ...{ bookedOn: 'Buchungstag', amount: 'Betrag', payerName: 'Auftraggeber' },
    ...{ remittance: 'Verwendungszweck', currency: 'Währung' },
  },
  ...{ dateFormat: 'DD.MM.YYYY' as const, decimalSign: ',' as const },
}

test('a CSV file is read by the names of its columns, below what else stands above them', async () => {
  const text = [
    'Konto;DE02120300000000202051',
    '',
    'Buchungstag;Auftraggeber;Verwendungszweck;Betrag;Währung',
    '07.01.30;"Müller; Söhne";"RF18 ""5390""",1.234,50;EUR'.replace('",1', '";1'),
    '07.01.2030;Post;Porto;-3,00;EUR',
    '',
  ].join('\r\n')
  const { entries, debits } = await readCsv(text, german, 'EUR')
  assert.equal(debits, 1)
  assert.deepEqual(entries, [
    {
      ...{ bookedOn: '2030-01-07', amountCents: 123_450, currency: 'EUR', bankReference: null },
      ...{ payerName: 'Müller; Söhne', payerIban: null, remittance: 'RF18 "5390"' },
    },
  ])
})

test('a CSV file without the columns, or with a line that has no amount, is refused by its place', async () => {
  await assert.rejects(readCsv('a;b\n1;2', german, 'EUR'), /no line has the columns Buchungstag/)
  const line = 'Buchungstag;Auftraggeber;Verwendungszweck;Betrag;Währung\n07.01.2030;a;b;viel;EUR'
  await assert.rejects(readCsv(line, german, 'EUR'), /line 2 has no amount/)
})

const HEADER = 'Buchungstag;Auftraggeber;Verwendungszweck;Betrag;Währung'

const longFiles = [
  [
    'a CSV file',
    () => readCsv(`${HEADER}\n${'07.01.2030;a;b;1,00;EUR\n'.repeat(50_000)}`, german, 'EUR'),
  ],
  [
    'a CAMT.053 file',
    () => readCamt(camtStatement(Array(5000).fill({ amount: '1.00', text: 'x' }))),
  ],
] as const
for (const [what, read] of longFiles) {
  test(`other work goes on while ${what} of many entries is read`, async () => {
    let turns = 0
    const timer = setInterval(() => (turns += 1), 1)
    try {
      assert.ok((await read()).entries.length >= 5000)
    } finally {
      clearInterval(timer)
    }
    assert.ok(turns > 1, `${turns} turns`)
  })
}

test('a cell of nothing but quotes and letters is read in one pass', async () => {
  const startedMs = performance.now()
  assert.equal([...rowsOf(`a;${'x"'.repeat(1_000_000)}`, ';')].length, 1)
  assert.ok(performance.now() - startedMs < 10_000)
})

test('cells keep what is between their quotes', () => {
  assert.deepEqual(
    [...rowsOf('a,"b\n,""c"""\r\nd, "e" ,f"g"', ',')],
    [
      ['a', 'b\n,"c"'],
      ['d', 'e ', 'f"g"'],
    ],
  )
})

test('an entry has the same key in every file, and one that is alike another key', async () => {
  const [one, other] = (
    await readCamt(
      camtStatement([
        { amount: '5.00', text: 'x' },
        { amount: '5.00', text: 'y' },
      ]),
    )
  ).entries
  assert.ok(one && other)
  const [a, b, c] = keysOf([one, other, one])
  assert.equal(new Set([a, b, c]).size, 3)
  assert.deepEqual(keysOf([other, one]), [b, a])
})

test('a reference is found whatever the bank has made of it, and nothing else is one', () => {
  fc.assert(
    fc.property(fc.uuid(), fc.string(), fc.string(), (id, before, after) => {
      const reference = referenceOf(id)
      const spaced = reference.toLowerCase().replace(/.{3}/g, '$& ')
      assert.ok(referencesIn(`${before} ${spaced}${after}`).includes(reference))
    }),
  )
  const wrong = `RF00${referenceOf('x').slice(4)}`
  assert.deepEqual(referencesIn(wrong), [])
  assert.deepEqual(referencesIn(null), [])
})

test('numbers of invoices and names are found in what payers write', () => {
  assert.deepEqual(numbersIn('Rechnung INV-2030-000012 und CN-2030-000001'), [
    'INV-2030-000012',
    'CN-2030-000001',
  ])
  assert.equal(namesMeet('Ada Lovelace', 'LOVELACE, ADA'), true)
  assert.equal(namesMeet('Éloïse Martin', 'ELOISE M'), true)
  assert.equal(namesMeet('Ada', 'Grace Hopper'), false)
  assert.equal(namesMeet(null, 'Grace'), false)
})
