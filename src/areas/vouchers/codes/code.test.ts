import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { grouped, hashOf, newCode, normalized } from './code.ts'

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const code = fc.array(fc.constantFrom(...CROCKFORD), { minLength: 16, maxLength: 16 })

/** How a person may write a character of a code. */
const WRITTEN: Record<string, readonly string[]> = {
  0: ['0', 'O', 'o'],
  1: ['1', 'I', 'i', 'L', 'l'],
}
const SEPARATORS = ['', '', ' ', '-', '–', '\u2011', '\u00a0', ' - ']

test('a code has 16 characters of the alphabet of Crockford, and none repeats', () => {
  const codes = Array.from({ length: 2000 }, newCode)
  for (const it of codes) assert.match(it, /^[0-9A-HJKMNP-TV-Z]{16}$/)
  assert.equal(new Set(codes).size, codes.length)
  // Each character carries 5 random bits: every one of the 32 appears at every place.
  for (let at = 0; at < 16; at += 1) {
    assert.equal(new Set(codes.map((it) => it[at])).size, 32, `place ${at}`)
  }
})

test('a code is found however it is written', () => {
  const key = Buffer.alloc(32, 1)
  fc.assert(
    fc.property(code, fc.infiniteStream(fc.nat()), (characters, random) => {
      const pick = <T>(from: readonly T[]) => from[Number(random.next().value) % from.length] as T
      const written = characters.map((it) => {
        const character = pick(WRITTEN[it] ?? [it, it.toLowerCase()])
        return `${character}${pick(SEPARATORS)}`
      })
      const own = characters.join('')
      assert.equal(normalized(written.join('')), own)
      assert.equal(normalized(grouped(own)), own)
      assert.deepEqual(hashOf(written.join(''), key), hashOf(own, key))
    }),
  )
})

test('different codes have different hashes, and so has a code with another key', () => {
  fc.assert(
    fc.property(code, code, (one, other) => {
      const [left, right] = [one.join(''), other.join('')]
      const [key, second] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]
      assert.equal(hashOf(left, key).equals(hashOf(right, key)), left === right)
      assert.ok(!hashOf(left, key).equals(hashOf(left, second)))
    }),
  )
})

test('a code is shown in four groups of four', () => {
  assert.equal(grouped('0123456789ABCDEF'), '0123-4567-89AB-CDEF')
})
