import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { day, instant } from '#lib/time.ts'
import { encoded, plainText } from './charset.ts'
import { datevAccounts, fecAccounts } from './charts.ts'
import { type DatevBooks, type DatevRow, datevHeader, datevLine, datevRows } from './datev.ts'
import { COLUMNS, TEXT_COLUMNS } from './datev-columns.ts'
import type { BookedGroup, Entry } from './entry.ts'
import { FEC_COLUMNS, fecLines, fecName, fecText } from './fec.ts'
import { yearParts } from './years.ts'

const USER = '0198a000-0000-7000-8000-000000000001'
const GATEWAY = '0198a000-0000-7000-8000-0000000000aa'
const RECEIVABLE = `receivable:${USER}`
const CASH = `cash:${GATEWAY}`
const at = instant('2026-05-04T10:00:00Z')
const drivers = new Map([[GATEWAY, 'stripe']])
const settings = { datevChart: 'skr03', datevAccountLength: 4, datevAccounts: {} } as const
const datev: DatevBooks = {
  accounts: datevAccounts(settings),
  ...{ rates: new Map(), taxKeys: {}, drivers, debtorOf: () => '10001' },
}
const fec = { accounts: fecAccounts({}), drivers, nameOf: () => 'Żółć; "Łódź"\t株式会社 🎮' }

function entry(kind: string, postings: [string, number][], more: Partial<Entry> = {}): Entry {
  const moved = postings.map(([account, amountCents]) => ({ account, amountCents }))
  const id = '0198a000-0000-7000-8000-0000000000ff'
  return { at, id, kind, currency: 'EUR', postings: moved, number: null, document: null, ...more }
}

function group(
  netCents: number,
  rate: number | null,
  more: Partial<BookedGroup> = {},
): BookedGroup {
  const taxCents = Math.round((netCents * (rate ?? 0)) / 10_000)
  const sold = { product: 'Minecraft 4 GB', periodStart: instant('2026-05-05T00:00:00Z') }
  return {
    ...{ category: 'S', country: 'DE', rateBasisPoints: rate, netCents, taxCents, ...sold },
    ...more,
  }
}

function sold(groups: readonly BookedGroup[], more: Partial<Entry> = {}): Entry {
  const net = groups.reduce((sum, it) => sum + it.netCents, 0)
  const tax = groups.reduce((sum, it) => sum + it.taxCents, 0)
  const dueAt = instant('2026-05-18T00:00:00Z')
  const document = { userId: USER, customer: 'Ada', vatNumber: null, home: 'DE', dueAt, groups }
  const postings: [string, number][] = [
    [RECEIVABLE, net + tax],
    ['revenue', -net],
    ['tax:DE:1900', -tax],
  ]
  return entry('invoice_issued', postings, { number: 'INV-2026-000042', document, ...more })
}

const rowsOf = (it: Entry) => datevRows(it, datev)

test('X72 a German invoice at two rates is a row of its gross for each, as DATEV reads it', () => {
  const rows = rowsOf(sold([group(1000, 1900), group(500, 700, { product: 'Handbook' })]))
  const [first = '', second = ''] = rows.map(datevLine)
  const start = '11,90;"S";"EUR";;;"";10001;8400;"";0405;"INV-2026-000042";"";;'
  assert.ok(first.startsWith(`${start}"Minecraft 4 GB ${USER}";;`), first)
  assert.ok(second.startsWith('5,35;"S";"EUR";;;"";10001;8300;"";0405;"INV-2026-000042"'), second)
  assert.equal(
    rows.reduce((sum, { amountCents }) => sum + amountCents, 0),
    1725,
  )
  const cells = first.split(';')
  assert.equal(cells.length, 125)
  assert.deepEqual([cells[113], cells[114], cells[116]], ['0', '05052026', '18052026'])
  assert.deepEqual([cells[47], cells[48]], ['"Kunde"', '"Ada"'])
})

test('X73 an invoice, its payment and the fee are three balanced entries of an FEC', () => {
  const parts: [string, number][] = [
    [RECEIVABLE, 1200],
    ['revenue', -1000],
    ['tax:FR:2000', -200],
  ]
  const document = { userId: USER, customer: 'Ada', vatNumber: null, home: 'FR', dueAt: null }
  const invoice = entry('invoice_issued', parts, { document: { ...document, groups: [] } })
  const payment = entry('payment_received', [
    [CASH, 1200],
    [RECEIVABLE, -1200],
  ])
  const fee = entry('gateway_fee', [
    ['fees', 50],
    [CASH, -50],
  ])
  const lines = [invoice, payment, fee].flatMap((it, place) => fecLines(it, place + 1, fec))
  const shown = lines.map(({ JournalCode, EcritureNum, CompteNum, Debit, Credit }) =>
    [JournalCode, EcritureNum, CompteNum, Debit, Credit].join(' '),
  )
  assert.deepEqual(shown, [
    ...['VE 1 411 12,00 0,00', 'VE 1 706 0,00 10,00', 'VE 1 44571 0,00 2,00'],
    ...['BQ 2 512 12,00 0,00', 'BQ 2 411 0,00 12,00'],
    ...['BQ 3 627 0,50 0,00', 'BQ 3 512 0,00 0,50'],
  ])
  assert.equal(fecName('732829320', day('2026-12-31')), '732829320FEC20261231.txt')
})

test('V67 the header of a stack has the 31 fields of version 700, each in its form', () => {
  const header = datevHeader({
    ...{ consultant: '29098', client: '55003', chart: 'skr04', accountLength: 4, currency: 'EUR' },
    ...{ fiscalYearOn: day('2026-01-01'), from: day('2026-05-01'), to: day('2026-05-31') },
  })
  const forms = [
    ...[/^"EXTF"$/, /^700$/, /^21$/, /^"Buchungsstapel"$/, /^13$/, /^20260531235959999$/, /^$/],
    ...[/^"\w{0,2}"$/, /^"\w{0,25}"$/, /^"\w{0,25}"$/, /^\d{4,7}$/, /^\d{1,5}$/, /^20260101$/],
    ...[/^[4-8]$/, /^20260501$/, /^20260531$/, /^"[\w./ -]{0,30}"$/, /^""$/, /^[12]$/, /^0$/],
    ...[/^0$/, /^"EUR"$/, /^$/, /^""$/, /^$/, /^$/, /^"04"$/, /^$/, /^$/, /^""$/, /^".{0,16}"$/],
  ]
  const fields = header.split(';')
  assert.equal(forms.length, 31)
  assert.equal(fields.length, forms.length)
  for (const [place, form] of forms.entries())
    assert.match(fields[place] ?? '', form, `${place + 1}`)
})

test('V67 a stack has 125 columns, of which those that the format names are text', () => {
  assert.equal(COLUMNS.length, 125)
  assert.equal(new Set(COLUMNS).size, 125)
  const named = (place: number) => COLUMNS[place - 1]
  assert.deepEqual(
    [1, 11, 14, 20, 37, 40, 41, 48, 87, 88, 101, 114, 115, 117, 120, 125].map(named),
    [
      ...['Umsatz (ohne Soll/Haben-Kz)', 'Belegfeld 1', 'Buchungstext', 'Beleglink'],
      ...['KOST1 - Kostenstelle', 'EU-Land u. UStID (Bestimmung)', 'EU-Steuersatz (Bestimmung)'],
      ...['Zusatzinformation - Art 1', 'Zusatzinformation- Inhalt 20', 'Stück'],
      ...['Erlöskonto (Anzahlungen)', 'Festschreibung', 'Leistungsdatum', 'Fälligkeit', 'Land'],
      'Abw. Skontokonto',
    ],
  )
  const cells = datevLine(rowsOf(sold([group(1000, 1900)]))[0] as DatevRow).split(';')
  for (const [place, cell] of cells.entries()) {
    assert.equal(/^".*"$/.test(cell), TEXT_COLUMNS.has(place + 1), `${place + 1}: ${cell}`)
  }
})

test('V67 the FEC has its 18 columns in the order of the law, and no cell is cut in two', () => {
  assert.equal(FEC_COLUMNS.length, 18)
  const [line] = fecLines(sold([group(1000, 1900)]), 7, fec)
  assert.ok(line)
  const cells = fecText(line).split('\t')
  assert.equal(cells.length, 18)
  assert.deepEqual(cells.slice(0, 4), ['VE', 'Ventes', '7', '20260504'])
  assert.equal(line.CompAuxLib, 'Zólc; "Lódz" ???? ?')
  assert.deepEqual(
    [line.PieceRef, line.EcritureLib],
    ['INV-2026-000042', 'Facture INV-2026-000042'],
  )
  encoded('iso-8859-15', fecText(line))
})

test('an amount of another currency is in its own columns of the FEC', () => {
  const [line] = fecLines({ ...sold([group(1000, 1900)]), currency: 'USD' }, 1, fec)
  assert.deepEqual([line?.Debit, line?.Montantdevise, line?.Idevise], ['11,90', '11,90', 'USD'])
})

test('a credit note stands on the other side, and a document number keeps allowed characters', () => {
  const note = sold([group(1000, 1900)], { kind: 'credit_note', number: 'CN+2026 1/ü' })
  const [row] = rowsOf(note)
  assert.deepEqual([row?.side, row?.amountCents, row?.number], ['H', 1190, 'CN-2026-1/-'])
})

test('each treatment of tax has its revenue account, and the columns for other EU countries', () => {
  const of = (groups: BookedGroup, vatNumber: string | null = null) => {
    const made = sold([groups])
    const document = made.document && { ...made.document, vatNumber }
    return rowsOf({ ...made, document }).map((row) => {
      const cells = datevLine(row).split(';')
      return [cells[0], cells[7], cells[39], cells[40]].join(' ')
    })
  }
  const reverse = group(1000, 0, { category: 'AE', country: 'FR' })
  assert.deepEqual(of(reverse, 'FR40303265045'), ['10,00 8336 "FR40303265045" '])
  assert.deepEqual(of(group(1000, 2400, { country: 'GR' })), ['12,40 8331 "EL" 24,00'])
  assert.deepEqual(of(group(1000, 550, { country: 'FR' })), ['10,55 8331 "FR" 05,50'])
  assert.deepEqual(of(group(1000, null, { category: 'O', country: 'US' })), ['10,00 8338 "" '])
  assert.deepEqual(of(group(1000, null, { category: 'O' })), ['10,00 8200 "" '])
  assert.deepEqual(of(group(1000, 0, { category: 'E' })), ['10,00 8195 "" '])
  const swiss = group(1000, 810, { country: 'CH' })
  assert.deepEqual(of(swiss), ['10,00 8338 "" ', '0,81 1736 "" '])
})

test('a domestic rate can have an account of its own, and a revenue account a tax key', () => {
  const books = { ...datev, rates: new Map([[1300, '4013']]), taxKeys: { domesticStandard: '3' } }
  const [own, keyed] = datevRows(sold([group(1000, 1300), group(1000, 1900)]), books)
  assert.deepEqual([own?.counterAccount, own?.taxKey], ['4013', ''])
  assert.deepEqual([keyed?.counterAccount, keyed?.taxKey], ['8400', '3'])
})

test('credit that is set aside stays on its account and needs no row', () => {
  const held = entry('credit_held', [
    [`credit:${USER}`, 500],
    [`heldCredit:${USER}`, -500],
  ])
  assert.deepEqual(rowsOf(held), [])
  assert.equal(fecLines(held, 1, fec).length, 2)
})

test('accounts are padded to the digits of the client', () => {
  const accounts = datevAccounts({
    ...settings,
    datevAccountLength: 6,
    datevAccounts: { outsideEu: '8337' },
  })
  assert.deepEqual(
    [accounts.domesticStandard, accounts.outsideEu, accounts.collectiveDebtor],
    ['840000', '833700', '1000000'],
  )
})

test('letters that a character set lacks are replaced, always in the same way', () => {
  const polish = 'Zażółć gęślą jaźń Łukasz'
  assert.equal(plainText('windows-1252', polish, 60), 'Zazólc gesla jazn Lukasz')
  assert.equal(plainText('windows-1252', '東京 Server', 60), '?? Server')
  assert.equal(plainText('windows-1252', 'Play 🎮👍🏽 €5 – “x”', 60), 'Play ?? €5 – “x”')
  assert.equal(plainText('iso-8859-15', 'Œuvre — l’été €', 60), "Œuvre - l'été €")
  assert.equal(plainText('windows-1252', ' a;"b"\r\n\tc ', 60), 'a;"b" c')
  for (const sign of ['=', '+', '-', '@']) {
    assert.equal(plainText('windows-1252', `${sign}SUM(A1)`, 60), `'${sign}SUM(A1)`)
  }
  assert.equal(plainText('windows-1252', 'ẞ'.repeat(40), 60).length, 60)
  assert.deepEqual([...encoded('windows-1252', 'ä€Ž')], [0xe4, 0x80, 0x8e])
  assert.deepEqual([...encoded('iso-8859-15', 'ä€Ž')], [0xe4, 0xa4, 0xb4])
  assert.throws(() => encoded('iso-8859-15', '東'), RangeError)
})

test('every text becomes one line that both character sets have', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme' }),
      fc.integer({ min: 1, max: 60 }),
      (text, longest) => {
        for (const charset of ['windows-1252', 'iso-8859-15'] as const) {
          const line = plainText(charset, text, longest)
          assert.ok(line.length <= longest)
          assert.doesNotMatch(line, /[\r\n\t]|^[=+\-@]/)
          assert.equal(encoded(charset, line).length, line.length)
          const quoted = datevLine({
            ...(rowsOf(sold([group(100, 1900)]))[0] as DatevRow),
            customer: text,
          })
          const unquoted = quoted.replace(/"(""|[^"])*"/g, '')
          assert.equal(unquoted.split(';').length, 125)
        }
      },
    ),
  )
})

const OTHERS = [
  ...['fees', 'badDebt', 'goodwill', 'disputed', 'opening', 'affiliateExpense', CASH, RECEIVABLE],
  ...[`credit:${USER}`, `heldCredit:${USER}`, 'importedRefunds', 'affiliatePayouts'],
  `affiliatePending:${USER}`,
]

test('every transaction balances, and moves the same on each account as the ledger', () => {
  const amounts = fc.array(
    fc.tuple(fc.constantFrom(...OTHERS), fc.integer({ min: -900, max: 900 })),
    {
      ...{ minLength: 1, maxLength: 5 },
    },
  )
  fc.assert(
    fc.property(amounts, (parts) => {
      const rest = parts.reduce((sum, [, amount]) => sum + amount, 0)
      const moved = entry(
        'refund',
        [...parts, ['fees', -rest]].filter(([, it]) => it !== 0) as never,
      )
      const wanted = new Map<string, number>()
      for (const { account, amountCents } of moved.postings) {
        const [line] = fecLines(entry('x', [[account, 1]]), 1, fec)
        add(wanted, line?.CompteNum ?? '', amountCents)
      }
      const given = new Map<string, number>()
      for (const line of fecLines(moved, 1, fec)) {
        add(given, line.CompteNum, centsOf(line.Debit) - centsOf(line.Credit))
      }
      assert.deepEqual(given, wanted)
      const rows = rowsOf(moved)
      const [debits, credits] = [new Map<string, number>(), new Map<string, number>()]
      for (const row of rows) {
        add(debits, row.account, row.amountCents)
        add(credits, row.counterAccount, -row.amountCents)
      }
      const total = (it: Map<string, number>) =>
        [...it.values()].reduce((sum, cents) => sum + cents, 0)
      assert.equal(total(debits) + total(credits), 0)
      const inDatev = new Map<string, number>()
      for (const [account, cents] of [...debits, ...credits]) add(inDatev, account, cents)
      const booked = moved.postings.filter(({ account }) => account === RECEIVABLE)
      const owed = booked.reduce((sum, it) => sum + it.amountCents, 0)
      assert.equal(inDatev.get('10001') ?? 0, owed)
    }),
  )
})

function add(sums: Map<string, number>, name: string, cents: number): void {
  sums.set(name, (sums.get(name) ?? 0) + cents)
}

function centsOf(text: string): number {
  return Math.round(Number(text.replace(',', '.')) * 100)
}

test('a period is cut where the fiscal year ends', () => {
  const period = { from: instant('2026-05-20T00:00:00Z'), to: instant('2027-07-02T00:00:00Z') }
  const shown = (month: number) =>
    yearParts(period, month).map(({ fiscalYearOn, startOn, endOn }) => [
      fiscalYearOn,
      startOn,
      endOn,
    ])
  assert.deepEqual(shown(7), [
    ['2025-07-01', '2026-05-20', '2026-06-30'],
    ['2026-07-01', '2026-07-01', '2027-06-30'],
    ['2027-07-01', '2027-07-01', '2027-07-01'],
  ])
  assert.deepEqual(shown(1), [
    ['2026-01-01', '2026-05-20', '2026-12-31'],
    ['2027-01-01', '2027-01-01', '2027-07-01'],
  ])
})
