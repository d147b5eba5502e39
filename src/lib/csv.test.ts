import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { csvLine } from './csv.ts'

const CASES = [
  ['=1+1', `"'=1+1"`],
  ['+1', `"'+1"`],
  ['-1', `"'-1"`],
  ['@sum', `"'@sum"`],
  ['\tx', `"'\tx"`],
  ['\rx', `"'\rx"`],
  ['a,b', '"a,b"'],
  ['say "x"', '"say ""x"""'],
  ['two\nlines', '"two\nlines"'],
  ['plain', 'plain'],
  [-5, '-5'],
  [null, ''],
  [true, 'true'],
] as const

for (const [value, cell] of CASES) {
  test(`${JSON.stringify(value)} is written as ${JSON.stringify(cell)} (hardening 31)`, () => {
    assert.equal(csvLine([value]), `${cell}\r\n`)
  })
}

test('no text whatever begins as a formula, or ends its own cell (hardening 31)', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const cell = csvLine([text]).slice(0, -2)
      assert.doesNotMatch(cell, /^"?[=+\-@\t\r]/)
      assert.match(cell, /^(?:"(?:[^"]|"")*"|[^",\r\n]*)$/)
    }),
  )
})
