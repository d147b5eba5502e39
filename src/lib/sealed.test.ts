import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { newId } from './id.ts'
import { sealId, unsealId } from './sealed.ts'

const key = randomBytes(32)

test('a sealed id opens again, also with an earlier key', () => {
  const id = newId()
  const sealed = sealId(id, key)
  assert.equal(sealed.length, 43)
  assert.equal(unsealId(sealed, [randomBytes(32), key]), id)
})

test('a sealed id opens with no other key', () => {
  assert.equal(unsealId(sealId(newId(), key), [randomBytes(32)]), null)
})

test('a text that was changed in one place does not open', () => {
  const sealed = sealId(newId(), key)
  fc.assert(
    fc.property(fc.nat(sealed.length - 1), fc.constantFrom('A', 'b', '7', '_'), (at, letter) => {
      const changed = sealed.slice(0, at) + letter + sealed.slice(at + 1)
      assert.equal(unsealId(changed, [key]), changed === sealed ? unsealId(sealed, [key]) : null)
    }),
  )
})

test('any other text does not open, and never throws', () => {
  fc.assert(fc.property(fc.string({ maxLength: 60 }), (text) => unsealId(text, [key]) === null))
})
