import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chunk, exifOf, jpegOf, pngOf, segment, WEBP, webpOf } from '#test/images.ts'
import { pictureIn } from './picture.ts'
import { Unusable } from './unusable.ts'

/** An extended header of a canvas of one pixel, with these flags. */
const extended = (flags: number) => Buffer.from([flags, 0, 0, 0, 0, 0, 0, 0, 0, 0])
const lossy = ['VP8 ', WEBP.lossy.subarray(20)] as const
const SECRET = Buffer.from('48.8584 N, 2.2945 E', 'latin1')
const afterStart = (...segments: Buffer[]) => {
  const plain = jpegOf({ width: 20, height: 10 })
  return Buffer.concat([plain.subarray(0, 2), ...segments, plain.subarray(2)])
}

const TAKEN = [
  ['a PNG', pngOf({ width: 20, height: 10 }), 'image/png', 20, 10],
  ['a PNG with transparency', pngOf({ width: 3, height: 2, color: 6 }), 'image/png', 3, 2],
  ['a JPEG', jpegOf({ width: 20, height: 10 }), 'image/jpeg', 20, 10],
  ['a WebP with loss', WEBP.lossy, 'image/webp', 1, 1],
  ['a WebP without loss', WEBP.lossless, 'image/webp', 1, 1],
  ['an extended WebP', webpOf(['VP8X', extended(0)], lossy), 'image/webp', 1, 1],
] as const

for (const [what, bytes, mediaType, width, height] of TAKEN) {
  test(`${what} is read by its bytes, and kept byte by byte`, () => {
    assert.deepEqual(pictureIn(bytes), { mediaType, width, height, content: bytes })
  })
}

const CARRYING = [
  ['a PNG', pngOf({ extra: [chunk('tEXt', SECRET), chunk('eXIf', SECRET)] }), pngOf()],
  [
    'a JPEG',
    afterStart(segment(0xe1, SECRET), segment(0xfe, SECRET), segment(0xed, SECRET)),
    afterStart(),
  ],
  [
    'a WebP',
    webpOf(['VP8X', extended(0b1100)], lossy, ['EXIF', SECRET], ['XMP ', SECRET]),
    webpOf(['VP8X', extended(0)], lossy),
  ],
] as const

for (const [what, bytes, without] of CARRYING) {
  test(`${what} loses what it does not need to be drawn`, () => {
    assert.ok(bytes.includes(SECRET))
    assert.deepEqual(pictureIn(bytes).content, without)
  })
}

test('a photograph that is stored upright is taken, one on its side is refused', () => {
  assert.deepEqual(pictureIn(afterStart(segment(0xe1, exifOf(1)))).content, afterStart())
  assert.throws(() => pictureIn(afterStart(segment(0xe1, exifOf(6)))), /on its side/)
})

const REFUSED = [
  ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
  ['a GIF', Buffer.from('GIF89a0000')],
  ['nothing', Buffer.alloc(0)],
  ['a PNG that is too wide', pngOf({ width: 2001, height: 1 })],
  ['a PNG with something after it', Buffer.concat([pngOf(), Buffer.from('<script>')])],
  ['a JPEG in CMYK', jpegOf({ components: 4 })],
  ['a WebP that ends early', WEBP.lossy.subarray(0, -2)],
  ['a WebP with something after it', Buffer.concat([WEBP.lossy, Buffer.from('<script>')])],
  ['a WebP without a picture', webpOf(['EXIF', SECRET])],
  ['a WebP with two pictures', webpOf(lossy, lossy)],
  ['a WebP that moves', webpOf(['VP8X', extended(0b10)], lossy)],
  ['a WebP of another canvas', webpOf(['VP8X', Buffer.alloc(10, 9)], lossy)],
  ['a WebP whose picture is none', webpOf(['VP8 ', Buffer.alloc(20)])],
] as const

for (const [what, bytes] of REFUSED) {
  test(`${what} is refused`, () => {
    assert.throws(() => pictureIn(bytes), Unusable)
  })
}
