import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { instant, later, SECOND_MS } from '#lib/time.ts'
import { jpegOf, pngOf, WEBP } from '#test/images.ts'
import {
  dispositionOf,
  isBlocked,
  mediaTypeOf,
  nameFrom,
  secondsUntilRoom,
  UPLOADS_A_DAY,
} from './rules.ts'

const NAMES = [
  ['../../etc/passwd', 'passwd'],
  ['C:\\logs\\latest.log', 'latest.log'],
  ['photo\u202egpj.exe', 'photogpj.exe'],
  ['two\r\nlines\0.txt', 'twolines.txt'],
  ['setup.exe. . ', 'setup.exe'],
  ['🦀 crash.log', '🦀 crash.log'],
  ['half \ud83e.txt', 'half \ufffd.txt'],
  ['..', 'file'],
  ['', 'file'],
  [`${'é'.repeat(10_000)}.log`, `${'é'.repeat(196)}.log`],
  [`a.${'b'.repeat(10_000)}`, `a.${'b'.repeat(198)}`],
] as const

for (const [sent, name] of NAMES) {
  test(`support A67: a file named ${JSON.stringify(sent.slice(0, 20))} is stored under a safe name`, () => {
    assert.equal(nameFrom(sent), name)
  })
}

test('support A67: every name is short, one line, without a path, and safe in a header', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (sent) => {
      const name = nameFrom(sent)
      assert.ok([...name].length <= 200 && name.length > 0)
      assert.doesNotMatch(name, /[/\\\p{Cc}\u202a-\u202e\u2066-\u2069]/u)
      const header = dispositionOf(name)
      assert.match(
        header,
        /^attachment; filename="[^"\\;%]*"; filename\*=UTF-8''[\w!#$&+.^`|~%-]*$/,
      )
      assert.equal(decodeURIComponent(header.split("''")[1] ?? ''), name)
    }),
  )
})

test('an ending is blocked in any case, also after a name was shortened', () => {
  for (const name of ['setup.EXE', nameFrom(`${'a'.repeat(300)}.exe`), nameFrom('a.exe...')]) {
    assert.equal(isBlocked(name, ['exe']), true, name)
  }
  for (const name of ['exe', 'a.exe.txt', 'a.']) assert.equal(isBlocked(name, ['exe']), false, name)
})

const gif = Buffer.from('GIF89a\x01\0\x01\0', 'latin1')
const TYPES = [
  ['a PNG', pngOf(), 'image/png'],
  ['a JPEG', jpegOf(), 'image/jpeg'],
  ['a GIF', gif, 'image/gif'],
  ['a WebP', WEBP.lossy, 'image/webp'],
  ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'application/octet-stream'],
  ['HTML', Buffer.from('<!doctype html>'), 'application/octet-stream'],
  ['a PDF', Buffer.from('%PDF-1.7'), 'application/octet-stream'],
  ['nothing', Buffer.alloc(0), 'application/octet-stream'],
] as const

for (const [what, head, mediaType] of TYPES) {
  test(`support A73: ${what} is ${mediaType} by its bytes`, () => {
    assert.equal(mediaTypeOf(head.subarray(0, 16)), mediaType)
  })
}

const now = instant('2030-01-08T12:00:00.000Z')
const before = (seconds: number) => later(now, -seconds * SECOND_MS)

test('the next upload waits until enough of the last day is over', () => {
  const uploads = [
    { createdAt: before(60), sizeBytes: 40 },
    { createdAt: before(3600), sizeBytes: 50 },
    { createdAt: before(7200), sizeBytes: 10 },
  ]
  const room = (sizeBytes: number) => secondsUntilRoom(uploads, { sizeBytes, mostBytes: 100 }, now)
  assert.equal(room(0), null)
  assert.equal(room(1), 24 * 3600 - 7200)
  assert.equal(room(11), 24 * 3600 - 3600)
  assert.equal(room(61), 24 * 3600 - 60)
  const many = Array.from({ length: UPLOADS_A_DAY }, () => ({ createdAt: now, sizeBytes: 0 }))
  assert.equal(secondsUntilRoom(many, { sizeBytes: 0, mostBytes: 100 }, now), 24 * 3600)
  const most = many.slice(1)
  assert.equal(secondsUntilRoom(most, { sizeBytes: 0, mostBytes: 100 }, now), null)
})
