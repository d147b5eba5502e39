import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { html } from '#platform/pages/html.ts'
import { localeOf } from '#platform/pages/locale.ts'
import { assertOwnOrigin } from '#platform/pages/origin.ts'
import { pageOf, type Setting, textOn } from './layout.ts'
import { consentPage, loginPage } from './pages.ts'

const plain: Setting = { brand: { name: 'Games & Co' }, locale: 'en' }
const forum = {
  address: '/v1/oidc/interaction/abc',
  application: 'Forum',
  leadsTo: ['https://forum.example.org/callback?a=b'],
}

test('text is escaped, in elements and attributes, and markup is not (hardening 30)', () => {
  const evil = `<b a="1" b='2'>&`
  assert.equal(html`<p title="${evil}">${evil}</p>`.text.includes('<b'), false)
  assert.equal(html`${[html`<i>${1}</i>`, html`<i>${'<'}</i>`]}`.text, '<i>1</i><i>&lt;</i>')
  assert.equal(html`${null}`.text, '')
})

function policyOf({ headers }: { headers: Readonly<Record<string, string>> }) {
  const directives = (headers['content-security-policy'] ?? '').split('; ')
  return new Map(directives.map((it) => [it.split(' ')[0], it.split(' ').slice(1)]))
}

test('a page allows its own style, its logo, and the way its forms lead, and nothing else', () => {
  const brand = { name: 'Games', logoUrl: 'https://cdn.example/a;b,c.png', primaryColor: '#ff0000' }
  const page = consentPage({ brand, locale: 'en' }, forum, { email: 'ada@example.org', scopes: [] })
  const policy = policyOf(page)
  assert.deepEqual(policy.get('default-src'), ["'none'"])
  assert.deepEqual(policy.get('img-src'), ['https://cdn.example'])
  assert.deepEqual(policy.get('form-action'), ["'self'", 'https://forum.example.org'])
  assert.equal(policy.has('script-src'), false)
  const [, style = ''] = /<style>(.*?)<\/style>/s.exec(page.html) ?? []
  const hash = createHash('sha256').update(style).digest('base64')
  assert.deepEqual(policy.get('style-src'), [`'sha256-${hash}'`])
  assert.match(style, /#ff0000/)
})

test('a logo that was uploaded comes from where the page is', () => {
  const logoHash = 'a'.repeat(64)
  const brand = { name: 'Games', logoUrl: 'https://cdn.example/logo.png', logoHash }
  const page = pageOf({ brand, locale: 'en' }, { title: 'Title', body: html`` })
  assert.deepEqual(policyOf(page).get('img-src'), ["'self'"])
  assert.ok(page.html.includes(`<img src="/v1/brand/logo?sha256=${logoHash}" alt="">`))
})

const brands = [
  ['a logo that is not https', { logoUrl: 'http://cdn.example/logo.png' }],
  ['a logo that is a script', { logoUrl: 'javascript:alert(1)' }],
  ['a colour that is none', { primaryColor: 'red;}body{background:url(//evil.example)' }],
] as const

for (const [what, fields] of brands) {
  test(`a brand with ${what} does without it`, () => {
    const brand = { name: 'Games', ...fields }
    const page = pageOf({ brand, locale: 'en' }, { title: 'Title', body: html`` })
    assert.deepEqual(policyOf(page).get('img-src'), ["'none'"])
    assert.doesNotMatch(page.html, /<img|evil|javascript/)
  })
}

test('a form may lead to an IPv6 loopback address, which a policy cannot name', () => {
  const page = loginPage(plain, { ...forum, leadsTo: ['http://[::1]:8080/back', 'nowhere'] }, {})
  assert.deepEqual(policyOf(page).get('form-action'), ["'self'", 'http:'])
})

test('the pages speak English and French, in every sentence', () => {
  const facts = { email: 'ada@example.org', scopes: ['openid', 'services'] }
  const english = consentPage(plain, forum, facts).html
  const french = consentPage({ ...plain, locale: 'fr' }, forum, facts).html
  assert.match(english, /<html lang="en">/)
  assert.match(english, /see which services you have here/)
  assert.match(french, /<html lang="fr">/)
  assert.match(french, /voir le nom des services/)
  assert.match(french, /Games &amp; Co/)
})

const locales = [
  ['what the application asks for', { asked: 'sv fr-CA en', header: 'en' }, 'fr'],
  ['what the browser prefers', { asked: undefined, header: 'frr, en;q=0.5, fr;q=0.8' }, 'fr'],
  ['the shop where neither is spoken', { asked: 'sv', header: 'ja' }, 'fr'],
  ['the shop where nothing is wanted', { asked: 42, header: undefined }, 'fr'],
  ['no language that is refused', { asked: '', header: 'en;q=0' }, 'fr'],
] as const

for (const [what, wanted, locale] of locales) {
  test(`the language follows ${what}`, () => {
    assert.equal(localeOf({ ...wanted, fallback: 'fr', spoken: ['en', 'fr'] }), locale)
  })
}

test('text on a colour is the one of black and white that is read better', () => {
  assert.equal(textOn('#ffff00'), '#000')
  assert.equal(textOn('#1f5fbf'), '#fff')
  assert.equal(textOn('#ffffff'), '#000')
})

const issuer = 'https://shop.example/v1/oidc'
const origins = [
  [{ origin: 'https://shop.example' }, true],
  [{ origin: 'https://shop.example', 'sec-fetch-site': 'same-origin' }, true],
  [{}, true],
  [{ origin: 'https://shop.example', 'sec-fetch-site': 'same-site' }, false],
  [{ origin: 'http://shop.example' }, false],
  [{ origin: 'https://shop.example:444' }, false],
  [{ origin: 'https://shop.example.evil' }, false],
  [{ origin: 'null' }, false],
  [{ origin: '' }, false],
  [{ 'sec-fetch-site': 'cross-site' }, false],
] as const

for (const [headers, own] of origins) {
  test(`a form with ${JSON.stringify(headers)} is ${own ? 'ours' : 'refused with 403'} (hardening 22)`, () => {
    const check = () => assertOwnOrigin({ headers }, issuer)
    if (own) assert.doesNotThrow(check)
    else assert.throws(check, { statusCode: 403 })
  })
}
