import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { isIban } from '#lib/iban.ts'
import { inGroups, isReference, referenceOf } from './reference.ts'

test('every id has one reference, with right check digits and 16 signs', () => {
  fc.assert(
    fc.property(fc.uuid(), (id) => {
      const reference = referenceOf(id)
      assert.match(reference, /^RF\d{2}[0-9A-HJKMNP-TV-Z]{12}$/)
      assert.equal(reference, referenceOf(id))
      assert.ok(isReference(reference))
      assert.ok(isReference(inGroups(reference)))
    }),
  )
})

test('a reference with a wrong letter for a letter or digit for a digit is noticed', () => {
  fc.assert(
    fc.property(fc.uuid(), fc.integer({ min: 4, max: 15 }), fc.nat(24), (id, at, step) => {
      const right = referenceOf(id)
      const sign = right.charAt(at)
      // A letter counts as two digits: one in a digit's place moves the rest, and may go unnoticed.
      const signs = /\d/.test(sign) ? '0123456789' : 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
      const shift = 1 + (step % (signs.length - 1))
      const wrong = signs.charAt((signs.indexOf(sign) + shift) % signs.length)
      const text = `${right.slice(0, at)}${wrong}${right.slice(at + 1)}`
      assert.equal(isReference(text), false)
    }),
  )
})

const references = [
  ['RF18 5390 0754 7034', true],
  ['RF18539007547034', true],
  ['RF18539007547043', false],
  ['RF19539007547034', false],
  ['RF18', false],
] as const

for (const [text, right] of references) {
  test(`${text} is ${right ? 'a' : 'no'} reference`, () => {
    assert.equal(isReference(text), right)
  })
}

const ibans = [
  ['DE89 3704 0044 0532 0130 00', true],
  ['FR1420041010050500013M02606', true],
  ['DE89370400440532013001', false],
  ['DE8937', false],
] as const

for (const [text, right] of ibans) {
  test(`${text} is ${right ? 'an' : 'no'} IBAN`, () => {
    assert.equal(isIban(text), right)
  })
}
