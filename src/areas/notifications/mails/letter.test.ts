import assert from 'node:assert/strict'
import { test } from 'node:test'
import { brandColors } from '#platform/pages/colors.ts'
import { contentOf, contentOfText, type MailContent } from './content.ts'
import { branded, type Letter } from './letter.ts'

const origin = 'https://shop.example'
const brand = { name: 'Ada & Söhne', primaryColor: '#00aa55' }
const content: MailContent = {
  greeting: 'Hello Ada,',
  paragraphs: ['€5.00 is due on 4 May 2026.'],
  rows: [
    ['Invoice', 'N-1'],
    ['Amount due', '€5.00'],
  ],
  action: { label: 'Pay now', to: '/billing/invoices/1' },
  after: 'Ignore this.',
}
const stop = { label: 'Stop emails of this kind', url: 'https://shop.example/stop?token=1' }
const letter: Letter = {
  ...{ subject: 'Your invoice', locale: 'en', content, orOpen: null, isLinked: false },
  footer: { legal: 'Ada SAS\nRCS Lyon', why: 'You have an account.', stop: null },
}
const said = (paragraphs: string[], more: Partial<Letter> = {}) =>
  branded(
    { ...letter, content: contentOfText(paragraphs.join('\n\n')), ...more },
    { brand, origin },
  )

test('the plain text has the same content as the HTML, including the footer', () => {
  const footer = { ...letter.footer, stop }
  const { text } = branded({ ...letter, footer }, { brand, origin })
  assert.equal(
    text,
    `Hello Ada,

€5.00 is due on 4 May 2026.

Invoice:    N-1
Amount due: €5.00

Pay now:
https://shop.example/billing/invoices/1

Ignore this.

-- 
Ada SAS
RCS Lyon

You have an account.

Stop emails of this kind: https://shop.example/stop?token=1
`,
  )
})

test('the HTML has the brand colours with sufficient contrast, light and dark', () => {
  const { html } = branded(letter, { brand, origin })
  const { light, dark } = brandColors(brand.primaryColor)
  assert.ok(html.includes(`background-color:${light.fill}`))
  assert.ok(html.includes(`.button{background-color:${dark.fill}!important}`))
  assert.ok(html.includes('Ada &amp; Söhne'))
  assert.ok(html.includes('Ada SAS<br>RCS Lyon'))
})

test('mail programs show the first sentence next to the subject, not the greeting', () => {
  const { html } = branded(letter, { brand, origin })
  const [, shown = ''] = /<body[^>]*>\s*<div[^>]*>([^<]*)/.exec(html) ?? []
  assert.match(shown, /^€5\.00 is due on 4 May 2026\.&#847;/)
})

test('a logo that was uploaded is shown by its address in the shop', () => {
  const logoHash = 'a'.repeat(64)
  const { html } = branded(letter, { brand: { ...brand, logoHash }, origin })
  assert.ok(html.includes(`<img src="https://shop.example/v1/brand/logo?sha256=${logoHash}"`))
})

test('a mail shows the dark logo of the shop in the dark scheme only', () => {
  const [logoHash, darkLogoHash] = ['a'.repeat(64), 'b'.repeat(64)]
  const { html } = branded(letter, { brand: { ...brand, logoHash, darkLogoHash }, origin })
  assert.match(
    html,
    new RegExp(`<img class="dark-logo" src="[^"]*sha256=${darkLogoHash}"[^>]*display:none`),
  )
  assert.match(html, new RegExp(`<img class="light-logo" src="[^"]*sha256=${logoHash}"`))
  const [, dark = ''] = html.split('prefers-color-scheme:dark')
  assert.match(
    dark,
    /\.light-logo\{display:none!important\}\s*\.dark-logo\{display:inline-block!important\}/,
  )
  const { html: without } = branded(letter, { brand: { ...brand, logoHash }, origin })
  assert.doesNotMatch(without, /<img class=/)
})

test('a path gets the origin of the shop, and a foreign URL is not a path', () => {
  assert.match(
    said(['Ready.', '/services/1']).text,
    /^Ready\.\n\nhttps:\/\/shop\.example\/services\/1\n/,
  )
  assert.match(said(['a', '//evil.example']).text, /^a\n\n\/\/evil\.example\n/)
})

test('a secret link is on the button, and below it as text', () => {
  const to = 'https://shop.example/x?a=1&b=2'
  const action = { label: 'Confirm', to }
  const { html } = branded(
    { ...letter, content: { ...content, action }, orOpen: 'Or open:' },
    { brand, origin },
  )
  assert.equal(html.split('href="https://shop.example/x?a=1&amp;b=2"').length, 3)
  assert.ok(html.includes('Or open:<br>'))
})

test('a URL in a text of the shop is a link, and a URL typed by a user is not', () => {
  const text = 'Open https://shop.example/x?a=1&b=2 now.'
  const linked = said([text], { isLinked: true }).html
  assert.ok(linked.includes('href="https://shop.example/x?a=1&amp;b=2"'))
  assert.ok(linked.includes('</a> now.'))
  const { greeting } = contentOf({
    ...{ message: { title: 'Hi', body: 'Hi' }, locale: 'en', link: null },
    name: 'win at https://evil.example',
  })
  assert.doesNotMatch(greeting, /evil\.example|:\/\//)
  assert.doesNotMatch(said([text]).html, /<a /)
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
    const { html } = branded(
      {
        ...{ subject: text, locale: 'en', orOpen: text, isLinked: true },
        footer: { legal: text, why: text, stop: null },
        content: {
          ...{ greeting: text, paragraphs: [text, text], rows: [[text, text]], after: text },
          action: { label: text, to: '/services/1' },
        },
      },
      { brand: { ...brand, name: text }, origin },
    )
    assert.doesNotMatch(html, /<(img|script)/i)
    assert.doesNotMatch(html.replace(/"[^"]*"/g, '""'), /<[^>]*\son\w+=/i)
    assert.doesNotMatch(html, /href="(?!https?:)/)
    assert.ok(!html.includes('>49<'))
  })
}
