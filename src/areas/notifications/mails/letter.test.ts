import assert from 'node:assert/strict'
import { test } from 'node:test'
import { branded } from './letter.ts'

const origin = 'https://shop.example'
const brand = { name: 'Ada & Söhne', primaryColor: '#00aa55', legalFooter: 'Ada SAS\nRCS Lyon' }
const mail = { subject: 'Hello', body: 'Hello Ada,\n\nIt is ready.' }

test('a mail ends with the legal footer of its tenant, and is a page in its colours', () => {
  const { text, html } = branded(mail, { brand, origin })
  assert.equal(text, 'Hello Ada,\n\nIt is ready.\n\n-- \nAda SAS\nRCS Lyon')
  assert.match(html, /border-top:4px solid #00aa55/)
  assert.match(html, /Ada &amp; Söhne/)
  assert.match(html, /Ada SAS<br>\nRCS Lyon/)
})

test('a logo that was uploaded is shown by its address in the shop', () => {
  const logoHash = 'a'.repeat(64)
  const { html } = branded(mail, { brand: { ...brand, logoHash }, origin })
  assert.ok(html.includes(`<img src="https://shop.example/v1/brand/logo?sha256=${logoHash}"`))
})

test('a path of the panel is written with the address of the shop', () => {
  const { text } = branded({ ...mail, body: 'Ready.\n\n/services/1' }, { brand, origin })
  assert.match(text, /^Ready\.\n\nhttps:\/\/shop\.example\/services\/1\n/)
  const { text: other } = branded({ ...mail, body: 'a\n\n//evil.example' }, { brand, origin })
  assert.match(other, /^a\n\n\/\/evil\.example/)
})

test('an address in the text is a link, and what follows it is not', () => {
  const body = 'Open this:\n\nhttps://shop.example/x?a=1&b=2\n\nThen go on.'
  const { html } = branded({ ...mail, body }, { brand, origin })
  assert.ok(html.includes('<a href="https://shop.example/x?a=1&amp;b=2"'))
  assert.ok(html.includes('<p>Then go on.</p>'))
})

const HOSTILE = [
  '<img src=x onerror=alert(1)>',
  '"><script>alert(1)</script>',
  "' onmouseover='alert(1)",
  'https://x.example/"onmouseover="alert(1)',
  'javascript:alert(1)',
  '{{7*7}} #{7*7}',
]

for (const text of HOSTILE) {
  test(`${text} is text wherever it stands (hardening 30)`, () => {
    const shown = { ...brand, name: text, legalFooter: text }
    const { html } = branded(
      { subject: text, body: `${text}\n\n${text}` },
      { brand: shown, origin },
    )
    assert.doesNotMatch(html, /<(img|script)/i)
    assert.doesNotMatch(html, /<[^>]*\son\w+=/i)
    assert.doesNotMatch(html, /href="(?!https?:)/)
    assert.ok(!html.includes('>49<'))
  })
}
