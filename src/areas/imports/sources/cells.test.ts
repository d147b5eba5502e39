import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DumpScanner } from '../dump/scanner.ts'
import { Cells, RowFault, withoutEntities } from './cells.ts'

/** Reads one cell of a row that has only this one. */
function cellOf<T>(value: string, read: (cells: Cells) => T): T {
  const found: T[] = []
  const scanner = new DumpScanner({
    insert: () => true,
    row: () => found.push(read(cells)),
    counted() {},
    table() {},
    statement() {},
  })
  const cells = new Cells(scanner.row)
  cells.begin(['it'])
  scanner.push(Buffer.from(`INSERT INTO t VALUES (${value});`))
  scanner.end()
  assert.equal(found.length, 1)
  return found[0] as T
}

const amounts: [string, number | bigint][] = [
  ["'12.50'", 1250],
  ['12.50', 1250],
  ['-1.00', -100],
  ['0.29', 29],
  ['-0.05', -5],
  ['.5', 50],
  ['7', 700],
  ["' 7.1 '", 710],
  ['0.00', 0],
  ['-0.00', 0],
  ['007.00', 700],
  ['1.2300', 123],
  ['99999999999999.99', 9999999999999999n],
  ['NULL', 0],
]

for (const [value, hundredths] of amounts) {
  test(`an amount of ${value} is ${hundredths} hundredths`, () => {
    assert.equal(
      cellOf(value, (cells) => cells.amount('it')),
      hundredths,
    )
  })
}

for (const value of [
  "''",
  "' '",
  "'12,50'",
  "'a lot'",
  "'1.234'",
  '1e3',
  "'1.2.3'",
  "'-'",
  "'0x10'",
  'NOW()',
]) {
  test(`${value} is no amount: the row fails`, () => {
    assert.throws(() => cellOf(value, (cells) => cells.amount('it')), RowFault)
  })
}

const moments: [string, string | null][] = [
  ['2024-02-29', '2024-02-29T00:00:00Z'],
  ['2024-02-29 23:59:59', '2024-02-29T23:59:59Z'],
  ['2024-02-29 23:59:59.123', '2024-02-29T23:59:59Z'],
  ['0000-00-00', null],
  ['0000-00-00 00:00:00', null],
  ['2020-00-00', null],
  ['1970-01-01', null],
  ['0001-11-30', null],
  ['', null],
]

for (const text of ['2023-02-29', '2024-13-01', 'yesterday it was', '29.02.2024']) {
  test(`${text} is not a date: the row fails`, () => {
    assert.throws(() => cellOf(`'${text}'`, (cells) => cells.instant('it')), RowFault)
  })
}

test('a required amount must not be NULL', () => {
  assert.throws(() => cellOf('NULL', (cells) => cells.money('it')), RowFault)
  assert.equal(
    cellOf('5.10', (cells) => cells.money('it')),
    510,
  )
})

for (const [text, moment] of moments) {
  test(`the moment ${JSON.stringify(text)} is ${moment ?? 'none'}`, () => {
    assert.equal(
      cellOf(`'${text}'`, (cells) => cells.instant('it')),
      moment && Date.parse(moment),
    )
  })
}

test('numbers and truths are read, and a column that is not there is empty', () => {
  assert.equal(
    cellOf("'42'", (cells) => cells.number('it')),
    42,
  )
  assert.equal(
    cellOf("''", (cells) => cells.number('it')),
    0,
  )
  assert.throws(() => cellOf("'4x'", (cells) => cells.number('it')), RowFault)
  for (const [value, truth] of [
    ["'on'", true],
    ['1', true],
    ["''", false],
    ['0', false],
    ['NULL', false],
  ] as const) {
    assert.equal(
      cellOf(value, (cells) => cells.flag('it')),
      truth,
    )
  }
  assert.deepEqual(
    cellOf('1', (cells) => [cells.text('no'), cells.number('no'), cells.amount('no')]),
    ['', 0, 0],
  )
})

test('HTML entities are decoded once, and only those of HTML itself', () => {
  assert.equal(
    withoutEntities('Tom &amp; Jerry&#039;s &quot;&lt;b&gt;&quot;'),
    `Tom & Jerry's "<b>"`,
  )
  assert.equal(withoutEntities('&amp;amp; &eacute; &#233; &'), '&amp; &eacute; &#233; &')
})
