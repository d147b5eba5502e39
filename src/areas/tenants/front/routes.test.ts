import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '#test/app.ts'
import { formBrowser } from '#test/form-browser.ts'
import { otherTenant, person } from '#test/people.ts'

const URL = '/v1/admin/front-page'
const HOST = 'own.example'

const app = await testApp(null)
const staff = await person(app, { permissions: ['shop:read', 'shop:write'] })
const reader = await person(app, { permissions: ['shop:read'] })
const other = await person(app, {
  tenantId: await otherTenant(app, HOST),
  permissions: ['shop:read', 'shop:write'],
})

const english = {
  title: 'Servers for <friends>',
  lead: 'Hosted in Lyon.',
  questions: [
    { question: 'Can I move?', answer: 'Yes, **free** of charge. <script>alert(1)</script>' },
    { question: 'Who helps me?', answer: 'We do.' },
  ],
}
const french = { title: 'Des serveurs entre amis', lead: null, questions: [] }

const shown = async (locale: string) => (await app.get(`/v1/front-page?locale=${locale}`)).body
const homeIn = async (locale: string) => (await formBrowser(app).open(`/?lang=${locale}`)).text

function structuredIn(text: string): Record<string, unknown>[] {
  const scripts = text.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/g)
  return [...scripts].map(([, json = '']) => JSON.parse(json))
}

test('a shop without texts of its own has the standard front page', async () => {
  const nothing = { language: null, title: null, lead: null, questions: [] }
  assert.deepEqual(await shown('fr'), nothing)
  assert.deepEqual((await reader.get(URL)).body, { texts: {}, updatedAt: null })
  const text = await homeIn('en')
  assert.match(text, /<h1>Game servers by /)
  assert.doesNotMatch(text, /id="questions"|FAQPage/)
})

test('a shop’s own texts are on its front page, in the language of the reader or of the shop', async () => {
  const { status, body, text } = await staff.put(URL, { texts: { en: english, fr: french } })
  assert.equal(status, 200, text)
  assert.deepEqual((await reader.get(URL)).body, body)
  assert.deepEqual(await shown('en'), { language: 'en', ...english })
  assert.deepEqual(await shown('fr'), { language: 'fr', ...french })
  assert.equal((await shown('pl')).language, 'en')

  const home = await homeIn('en')
  assert.match(home, /<h1>Servers for &lt;friends&gt;<\/h1>/)
  assert.match(home, /<meta name="description" content="Hosted in Lyon.">/)
  assert.match(home, /<summary>Can I move\?.*<strong>free<\/strong>/s)
  assert.doesNotMatch(home, /<script>alert/)
  const inFrench = await homeIn('fr')
  assert.match(inFrench, /<h1>Des serveurs entre amis<\/h1><p class="lead">Choisissez/)
  assert.doesNotMatch(inFrench, /id="questions"/)
  assert.match(await homeIn('pl'), /<h1 lang="en">Servers for/)
})

test('search engines read the questions and answers of the front page', async () => {
  const found = structuredIn(await homeIn('en')).find((it) => it['@type'] === 'FAQPage')
  const asked = found?.mainEntity as { name: string; acceptedAnswer: { text: string } }[]
  assert.deepEqual(
    asked.map(({ name, acceptedAnswer }) => [name, acceptedAnswer.text.trim()]),
    [
      [
        'Can I move?',
        '<p>Yes, <strong>free</strong> of charge. &lt;script&gt;alert(1)&lt;/script&gt;</p>',
      ],
      ['Who helps me?', '<p>We do.</p>'],
    ],
  )
})

test('the texts of a shop are read and changed by its own staff with the permission only', async () => {
  assert.deepEqual((await other.get(URL)).body.texts, {})
  assert.equal((await reader.put(URL, { texts: {} })).status, 403)
  assert.equal((await other.put(URL, { texts: { en: french } })).status, 200)
  assert.equal((await shown('en')).title, english.title)
})

test('texts that are too long, blank or of an unknown language are refused at their place', async () => {
  const wrong: readonly [object, string][] = [
    [{ xx: english }, 'texts.xx'],
    [{ en: { ...english, title: ' ' } }, 'texts.en.title'],
    [{ en: { ...english, lead: 'a'.repeat(301) } }, 'texts.en.lead'],
    [
      { en: { ...english, questions: [{ question: 'Why?', answer: '' }] } },
      'texts.en.questions.0.answer',
    ],
    [{ en: { ...english, questions: Array(13).fill(english.questions[0]) } }, 'texts.en.questions'],
  ]
  for (const [texts, path] of wrong) {
    const { status, body } = await staff.put(URL, { texts })
    assert.deepEqual([status, body.details?.[0]?.path], [400, path], JSON.stringify(body))
  }
})

test('without texts, the front page returns to the standard ones', async () => {
  assert.equal((await staff.put(URL, { texts: {} })).status, 200)
  assert.match(await homeIn('en'), /<h1>Game servers by /)
})
