import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chunk, jpegOf, pngOf } from '#test/images.ts'
import { opaqueImageIn } from './opaque.ts'
import { Unusable } from './unusable.ts'

const PALETTE = chunk('PLTE', Buffer.from('ff0000', 'hex'))

const TAKEN = [
  ['a PNG in RGB', pngOf({ width: 20, height: 10 }), 'image/png'],
  ['a PNG in grey', pngOf({ width: 20, height: 10, color: 0 }), 'image/png'],
  [
    'a PNG with a palette',
    pngOf({ width: 20, height: 10, color: 3, depth: 2, extra: [PALETTE] }),
    'image/png',
  ],
  ['a JPEG', jpegOf({ width: 20, height: 10 }), 'image/jpeg'],
  [
    'a progressive JPEG in grey',
    jpegOf({ width: 20, height: 10, components: 1, marker: 0xc2 }),
    'image/jpeg',
  ],
] as const

for (const [what, bytes, mediaType] of TAKEN) {
  test(`${what} is read by its bytes`, () => {
    assert.deepEqual(opaqueImageIn(bytes), { mediaType, width: 20, height: 10 })
  })
}

const whole = pngOf()
const flipped = Buffer.from(whole)
flipped[45] = (flipped[45] ?? 0) ^ 1

const REFUSED = [
  ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
  ['a GIF', Buffer.from('GIF89a0000')],
  ['nothing', Buffer.alloc(0)],
  ['a PNG with transparency', pngOf({ color: 6 })],
  ['a grey PNG with transparency', pngOf({ color: 4 })],
  ['a PNG with a transparent color', pngOf({ extra: [chunk('tRNS', Buffer.alloc(6))] })],
  ['an interlaced PNG', pngOf({ interlaced: true })],
  ['a PNG with 16 bits', pngOf({ depth: 16 })],
  ['a PNG of a palette it does not have', pngOf({ color: 3 })],
  ['a PNG that ends early', whole.subarray(0, -6)],
  ['a PNG with something after it', Buffer.concat([whole, Buffer.from('<script>')])],
  ['a PNG with a wrong checksum', flipped],
  ['a PNG that unpacks to more than it says', pngOf({ unpacked: 50_000_000 })],
  ['a PNG that unpacks to less than it says', pngOf({ unpacked: 3 })],
  ['a PNG that is too wide', pngOf({ width: 2001, height: 1 })],
  ['a PNG of no height', pngOf({ height: 0 })],
  ['a JPEG in CMYK', jpegOf({ components: 4 })],
  ['a lossless JPEG', jpegOf({ marker: 0xc3 })],
  ['a JPEG that is too high', jpegOf({ height: 2001 })],
  ['a JPEG that ends early', jpegOf().subarray(0, -2)],
  ['a JPEG without a frame', Buffer.from('ffd8ffd9', 'hex')],
] as const

for (const [what, bytes] of REFUSED) {
  test(`${what} is refused`, () => {
    assert.throws(() => opaqueImageIn(bytes), Unusable)
  })
}
