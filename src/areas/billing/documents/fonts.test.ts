import assert from 'node:assert/strict'
import { test } from 'node:test'

/** As a process that has made no document has it. */
const unread = './fonts.ts?unread'
const { documentFonts } = (await import(unread)) as typeof import('./fonts.ts')

test('a letter that was first part of another is still that letter in the documents after', () => {
  for (const font of Object.values(documentFonts())) {
    const subset = font.createSubset()
    for (const letter of 'ÇÉÀÑÔŽ') subset.includeGlyph(idOf(font, letter))
    subset.encode()
    for (const letter of 'CEANOZ') {
      const { codePoints } = font.glyphForCodePoint(letter.codePointAt(0) ?? 0)
      assert.deepEqual(String.fromCodePoint(...codePoints), letter)
    }
  }
})

function idOf(font: ReturnType<typeof documentFonts>['bold'], letter: string): number {
  return font.glyphForCodePoint(letter.codePointAt(0) ?? 0).id
}
