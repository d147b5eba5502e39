import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { decimalIn, momentIn } from './digits.ts'

const decimal = (text: string, decimals: number) =>
  decimalIn(Buffer.from(text), 0, text.length, decimals)
const moment = (text: string) => momentIn(Buffer.from(text), 0, text.length)

test('a day is as long after the epoch as the calendar says, and one that it has not is none', () => {
  const number = (max: number) => fc.integer({ min: 0, max })
  fc.assert(
    fc.property(number(9999), number(13), number(32), (year, month, day) => {
      const text = `${`${year}`.padStart(4, '0')}-${`${month}`.padStart(2, '0')}-${`${day}`.padStart(2, '0')}`
      const ms = Date.UTC(year, month - 1, day)
      const real = new Date(ms).toISOString().startsWith(text) && ms !== 0
      assert.equal(moment(text), real ? ms : null)
    }),
    { numRuns: 5000 },
  )
})

test('every moment of the clock is the one that it shows', () => {
  const from = { min: new Date('0100-01-01T00:00:00Z'), max: new Date('9999-12-31T23:59:59Z') }
  fc.assert(
    fc.property(fc.date({ ...from, noInvalidDate: true }), (date) => {
      const text = date.toISOString().slice(0, 19)
      fc.pre(!text.startsWith('1970-01-01'))
      assert.equal(moment(text.replace('T', ' ')), Date.parse(`${text}Z`))
    }),
  )
})

for (const text of ['', '2024-2-29', '2024/02/29', '2024-02-29T10:00:00', '2024-02-29 10:00:0x']) {
  test(`${JSON.stringify(text)} is left to a longer look`, () => {
    assert.equal(moment(text), Number.NaN)
  })
}

test('a decimal number is what a person reads', () => {
  const [max, decimals] = [10 ** 11, fc.integer({ min: 0, max: 3 })]
  fc.assert(
    fc.property(fc.integer({ min: -max, max }), decimals, (whole, decimals) => {
      const digits = `${Math.abs(whole)}`.padStart(decimals + 1, '0')
      const point = digits.length - decimals
      const text = `${whole < 0 ? '-' : ''}${digits.slice(0, point)}.${digits.slice(point)}`
      assert.equal(decimal(text, decimals), whole)
    }),
  )
})

for (const text of [
  '',
  '-',
  '.',
  '-.',
  '+1',
  '1.2.3',
  '1-',
  '--1',
  '1e3',
  ' 1',
  '1.234',
  '9'.repeat(16),
]) {
  test(`${JSON.stringify(text)} is no number of hundredths at first sight`, () => {
    assert.equal(decimal(text, 2), Number.NaN)
  })
}
