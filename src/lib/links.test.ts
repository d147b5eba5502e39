import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertNoLink, hasLink, withoutLinks } from './links.ts'

const LINKS = [
  ...[
    'https://evil.example',
    'Visit HTTP://evil',
    'www.evil',
    'evil.example',
    'Claim at evil.com/x',
  ],
  ...['mailto:a', 'a@evil.example', 'evil。com', 'evil．com', 'evil․com', 'e\u200bvil.c\u200bom'],
  ...['пример.рф', 'shop.xn--p1ai', 'ftp://1.2.3.4'],
]
for (const text of LINKS) {
  test(`${JSON.stringify(text)} holds a link, and none after it was neutralised`, () => {
    assert.ok(hasLink(text))
    assert.ok(!hasLink(withoutLinks(text)))
    assert.throws(() => assertNoLink('name', text), {
      statusCode: 422,
      code: 'link_not_allowed',
    })
  })
}

const NAMES = [
  ...['Ada Lovelace', 'J. R. R. Tolkien', 'Acme Inc.', 'Dr. Strange', 'Survival 1.21.4', 'Ltd.'],
  ...['O’Neill & Söhne', 'S.A. Dupont', 'AC/DC', 'A: B', '24/7'],
]
for (const text of NAMES) {
  test(`${JSON.stringify(text)} is a name without a link`, () => {
    assert.ok(!hasLink(text))
    assert.equal(withoutLinks(text), text)
    assertNoLink('name', text)
  })
}
