import assert from 'node:assert/strict'
import { test } from 'node:test'
import { html } from '#platform/pages/html.ts'
import { localeOf } from '#platform/pages/locale.ts'
import { assertOwnOrigin } from '#platform/pages/origin.ts'
import { pageOf, type Setting } from './layout.ts'
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
  const brand = { name: 'Games', logoUrl: 'https://cdn.example/a;b,c.png', primaryColor: '#aa3300' }
  const page = consentPage({ brand, locale: 'en' }, forum, { email: 'ada@example.org', scopes: [] })
  const policy = policyOf(page)
  assert.deepEqual(policy.get('default-src'), ["'none'"])
  assert.deepEqual(policy.get('img-src'), ["'self'", 'https://cdn.example'])
  assert.deepEqual(policy.get('form-action'), ["'self'", 'https://forum.example.org'])
  const inline = /^'sha256-[\w+/]{43}='$/
  for (const directive of ['script-src', 'style-src']) {
    const [own, hash = ''] = policy.get(directive) ?? []
    assert.equal(own, "'self'")
    assert.match(hash, inline)
  }
  assert.match(page.html, /--brand:light-dark\(#aa3300,/)
})

test('a logo that was uploaded comes from where the page is', () => {
  const logoHash = 'a'.repeat(64)
  const brand = { name: 'Games', logoUrl: 'https://cdn.example/logo.png', logoHash }
  const page = pageOf({ brand, locale: 'en' }, { title: 'Title', body: html`` })
  assert.deepEqual(policyOf(page).get('img-src'), ["'self'"])
  assert.match(page.html, new RegExp(`<img [^>]*src="/v1/brand/logo\\?sha256=${logoHash}" alt=""`))
})

test('a brand whose colour is none has the default colour', () => {
  const primaryColor = 'red;}body{background:url(//evil.example)'
  const page = pageOf(
    { brand: { name: 'Games', primaryColor }, locale: 'en' },
    { title: 'Title', body: html`` },
  )
  assert.match(page.html, /--brand:light-dark\(#3355ff,/)
  assert.doesNotMatch(page.html, /evil/)
})

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
