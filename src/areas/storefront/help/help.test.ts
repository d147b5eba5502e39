import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PASSWORD } from '#test/accounts.ts'
import { testApp } from '#test/app.ts'
import { formBrowser } from '#test/form-browser.ts'
import { helpOf } from '#test/help.ts'
import { otherTenant, person } from '#test/people.ts'

const app = await testApp(null)
const admin = await person(app, { admin: true })
const help = helpOf(admin)
await otherTenant(app, 'unhelpful.test')

type Page = { status: number; text: string; location: string | null; headers: Headers }

async function open(path: string, headers: Record<string, string> = {}): Promise<Page> {
  const answer = await fetch(app.url + path, { headers, redirect: 'manual' })
  const text = await answer.text()
  const location = answer.headers.get('location')
  return { status: answer.status, text, location, headers: answer.headers }
}
const french = { 'accept-language': 'fr' }

test('without an article there is no help, and no link to it', async () => {
  assert.equal((await open('/help')).status, 404)
  assert.doesNotMatch((await open('/')).text, /href="\/help"/)
  assert.doesNotMatch((await open('/sitemap.xml')).text, /\/help/)
})

test('support A85: the pages of the help, their languages, addresses and structured data', async () => {
  const { id: categoryId } = await help.category('Connecting', {
    names: { en: 'Connecting', fr: 'Connexion' },
  })
  const article = await help.published(categoryId, [
    {
      ...{ title: 'How to connect', slug: 'how-to-connect', summary: 'Address and port.' },
      text: '## Address\nOpen the **game**.\n\n<script>alert(1)</script> [x](javascript:alert(1))',
    },
    { title: 'Se connecter', slug: 'se-connecter', language: 'fr', text: 'Ouvrez le jeu.' },
  ])
  await help.published(categoryId, { title: 'Only in English', slug: 'only-in-english' })
  const secret = await help.published(
    categoryId,
    { title: 'Only for customers', slug: 'only-for-customers' },
    { audience: 'customers' },
  )

  const index = await open('/help')
  assert.equal(index.status, 200)
  assert.match(index.text, /<h1>Help<\/h1>/)
  assert.match(
    index.text,
    /<a href="\/help\/how-to-connect">How to connect<\/a><p>Address and port/,
  )
  assert.doesNotMatch(index.text, /Only for customers/)
  assert.match((await open('/')).text, /<a href="\/help">Help<\/a>/)
  assert.match((await open('/help', french)).text, /<a href="\/help\/se-connecter">Se connecter</)

  const shown = await open('/help/how-to-connect')
  assert.match(shown.text, /<h2 id="part-1">Address<\/h2>\n<p>Open the <strong>game<\/strong>/)
  assert.doesNotMatch(shown.text, /<script>alert|href="javascript/)
  assert.match(shown.text, /"@type":"BreadcrumbList"/)
  assert.match(shown.text, /"@type":"Article","headline":"How to connect","inLanguage":"en"/)
  const links = [...shown.text.matchAll(/<link rel="(canonical|alternate)"([^>]*)>/g)]
    .map(([, rel, rest = '']) => `${rel}${rest}`.replaceAll(app.url, ''))
    .filter((it) => it.includes('/help'))
  assert.deepEqual(
    links.map((it) => it.replace(/https?:\/\/[^/"]+/, '')),
    [
      'canonical href="/help/how-to-connect?lang=en"',
      'alternate hreflang="en" href="/help/how-to-connect?lang=en"',
      'alternate hreflang="fr" href="/help/se-connecter?lang=fr"',
      'alternate hreflang="x-default" href="/help/how-to-connect"',
    ],
  )

  const other = await open('/help/how-to-connect', french)
  assert.deepEqual([other.status, other.location], [303, '/help/se-connecter'])
  assert.match(
    (await open('/help/se-connecter?lang=fr')).text,
    /<html lang="fr"[\s\S]*Se connecter/,
  )
  const fallback = await open('/help/only-in-english', french)
  assert.match(fallback.text, /<h1 lang="en">Only in English<\/h1>/)
  assert.match(fallback.text, /n’existe pas encore dans votre langue\. Il est en English/)
  assert.match(fallback.text, /rel="canonical" href="[^"]*\/help\/only-in-english"/)

  await help.draft(article.id, { title: 'How to connect', slug: 'connect' })
  const moved = await open('/help/how-to-connect')
  assert.deepEqual([moved.status, moved.location], [301, '/help/connect'])
  assert.equal(moved.headers.get('cache-control'), 'no-cache')

  const sitemap = (await open('/sitemap.xml')).text
  for (const path of [
    '/help',
    '/help/connecting',
    '/help/connect?lang=en',
    '/help/only-in-english',
  ])
    assert.match(sitemap, new RegExp(`<loc>[^<]*${path.replace('?', '\\?')}</loc>`), path)
  assert.match(sitemap, /se-connecter\?lang=fr<\/loc><lastmod>\d{4}-/)
  assert.doesNotMatch(sitemap, /only-for-customers|how-to-connect/)

  // What customers read is there for them, and in no sitemap even when they ask for it.
  assert.equal((await open('/help/only-for-customers')).status, 404)
  const customer = formBrowser(app)
  await customer.submit('/register', {
    ...{ name: 'Ada', email: 'ada@example.org', password: PASSWORD, country: 'FR', next: '/' },
  })
  assert.equal((await customer.open('/help/only-for-customers')).status, 200)
  assert.match((await customer.open('/help')).text, /Only for customers/)
  assert.doesNotMatch((await customer.open('/sitemap.xml')).text, /only-for-customers/)

  await help.withdraw(secret.id)
  assert.equal((await customer.open('/help/only-for-customers')).status, 404)
  const elsewhere = await app.get('/help/connect', { headers: { host: 'unhelpful.test' } })
  assert.equal(elsewhere.status, 404)
})

test('the search of the help works without a script, and search engines leave it out', async () => {
  const { text, status } = await open('/help/search?q=connect')
  assert.equal(status, 200)
  assert.match(text, /<meta name="robots" content="noindex">/)
  assert.match(text, /<a href="\/help\/connect">How to connect<\/a>/)
  const hostile = await open(`/help/search?q=${encodeURIComponent('"><script>alert(1)</script>')}`)
  assert.equal(hostile.status, 200)
  assert.doesNotMatch(hostile.text, /<script>alert/)
  assert.equal((await open('/help/search')).status, 200)
})

test('a visitor says by a form whether an article helped, and from no other site', async () => {
  const { id } = (await app.get('/v1/knowledge/articles/connect')).body
  const visitor = formBrowser(app)
  const sent = await visitor.submit('/help/connect/feedback', {
    id,
    language: 'en',
    helpful: 'yes',
  })
  assert.deepEqual([sent.status, sent.location], [303, '/help/connect?answered=yes#feedback'])
  const thanked = await visitor.open('/help/connect?answered=yes')
  assert.match(thanked.text, /Thank you for your answer/)
  const { body } = await admin.get(`/v1/admin/articles/${id}`)
  assert.equal(body.texts[0].helpful, 1)
  const forged = await fetch(`${app.url}/help/connect/feedback`, {
    ...{ method: 'POST', body: new URLSearchParams({ id, language: 'en', helpful: 'no' }) },
    headers: { origin: 'https://evil.example' },
  })
  assert.equal(forged.status, 403)
})
