import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { de as problems } from '#lib/problem-messages/de.ts'
import { ROOT } from '#platform/root.ts'
import { formBrowser } from '#test/form-browser.ts'
import { gameShop } from '#test/game-shop.ts'
import { textOfPdf } from '#test/pdf-text.ts'
import { givePassword, PASSWORD } from '#test/relying-party.ts'
import { TEXTS } from './texts/index.ts'

const shop = await gameShop()
const { app, admin, db } = shop
const { plan } = await shop.server()
const greta = await shop.customer('DE')
await greta.patch('/v1/users/me', { locale: 'de' })
await givePassword(app, greta.userId)
const { invoice } = await shop.buy(greta, plan.id)
await shop.serviceBecame(greta, 'active')
const GERMAN = { headers: { 'accept-language': 'de-AT, en;q=0.5' } }

/** A browser without scripts in which somebody has chosen German and signed in. */
async function signedIn(email: string) {
  const guest = formBrowser(app)
  await guest.open('/sign-in?lang=de')
  await guest.submit('/sign-in', { email, password: PASSWORD, next: '/home' })
  return guest
}

/** What a page of the application gives its script. */
function bootOf(text: string): { locale: string } {
  const [, json = '{}'] =
    /<script type="application\/json" id="boot"[^>]*>(.*?)<\/script>/.exec(text) ?? []
  return JSON.parse(json)
}

test('the shop is German for a browser that prefers German, and links to every language', async () => {
  const { text } = await app.get('/', GERMAN)
  assert.match(text, /<html lang="de"/)
  assert.ok(text.includes(TEXTS.de.home.gamesTitle))
  assert.ok(!text.includes(TEXTS.en.home.gamesTitle))
  assert.match(text, /<meta property="og:locale" content="de_DE">/)
  assert.match(
    text,
    /<a href="\/\?lang=de" hreflang="de" lang="de" aria-current="true">Deutsch<\/a>/,
  )
  assert.match(text, /<a href="\/\?lang=pl" hreflang="pl" lang="pl">Polski<\/a>/)
})

test('an account that is made on a German page is a German one', async () => {
  const guest = formBrowser(app)
  await guest.open('/register?lang=de')
  const email = 'new-german@example.org'
  const greta = { name: 'Greta', email, password: PASSWORD, country: 'DE', next: '/' }
  assert.equal((await guest.submit('/register', greta)).status, 303)
  const { data } = (await admin.get('/v1/admin/users?limit=100')).body
  const found = data.find((it: { email: string }) => it.email === email)
  assert.equal(found?.locale, 'de')
})

test('an error is told in German', async () => {
  const { body } = await app.get('/v1/services', GERMAN)
  assert.deepEqual([body.code, body.message], ['unauthorized', problems.unauthorized])
})

test('notices and mails about an order are German', async () => {
  const { data: notices } = (await greta.get('/v1/notifications')).body
  assert.match(JSON.stringify(notices), /Rechnung INV-/)
  const { data: mails } = (await admin.get(`/v1/admin/mails?recipient=${greta.email}`)).body
  assert.ok(mails.length > 0)
  for (const { id } of mails) {
    const { body } = await admin.get(`/v1/admin/mails/${id}`)
    assert.match(`${body.subject} ${body.body}`, /\b(?:deine?|du|dir|Rechnung)\b/i)
    assert.doesNotMatch(`${body.subject} ${body.body}`, /\b(?:your|invoice|the)\b/i)
  }
})

test('an invoice is German on paper, with German dates and amounts', async () => {
  const { fileKey } = await app.eventually('its paper is made', () =>
    db
      .selectFrom('billing.document_files as file')
      .innerJoin('billing.documents as document', 'document.id', 'file.documentId')
      .select('file.fileKey')
      .where('document.invoiceId', '=', invoice.id)
      .where('file.format', '=', 'pdf')
      .executeTakeFirst(),
  )
  const stored = await app.deps.files.get(fileKey)
  assert.ok(stored)
  const paper = textOfPdf(await buffer(stored))
  assert.match(paper, /Rechnung/)
  assert.match(paper, /\d+,\d\d/)
  assert.doesNotMatch(paper, /Invoice|Description|Total incl/)
})

test('the customer area is German, and the administration is English for staff who read German', {
  skip: !fs.existsSync(path.join(ROOT, 'web/dist/manifest.json')),
}, async () => {
  const customer = await signedIn(greta.email)
  const { text: home } = await customer.open('/home')
  assert.match(home, /<html lang="de"/)
  assert.equal(bootOf(home).locale, 'de')
  await admin.patch('/v1/users/me', { locale: 'de' })
  await givePassword(app, admin.userId)
  const { email } = (await admin.get('/v1/users/me')).body
  const staff = await signedIn(email)
  const { text: desk } = await staff.open('/admin')
  assert.match(desk, /<html lang="en"/)
  assert.equal(bootOf(desk).locale, 'en')
  assert.equal(bootOf((await staff.open('/home')).text).locale, 'de')
})

test('a reader without a text in their language gets that of the shop, else English', async () => {
  const said = (title: string) => ({ title, body: 'x' })
  const texts = { pl: said('Przerwa'), en: said('Maintenance'), fr: said('Entretien') }
  await admin.post('/v1/admin/announcements', { texts, public: true })
  const titleFor = async (locale: string) => {
    const { body } = await app.get(`/v1/news?locale=${locale}`)
    return [body.data[0].language, body.data[0].title]
  }
  assert.deepEqual(await titleFor('de'), ['en', 'Maintenance'])
  assert.deepEqual(await titleFor('pl'), ['pl', 'Przerwa'])
  await admin.post('/v1/admin/legal-texts', {
    kind: 'terms',
    texts: { en: 'Terms', it: 'Condizioni' },
  })
  await admin.patch('/v1/admin/shop', { brand: { locale: 'fr' } })
  assert.deepEqual(await titleFor('de'), ['fr', 'Entretien'])
  await admin.patch('/v1/admin/shop', { brand: { locale: 'it' } })
  assert.deepEqual(await titleFor('de'), ['en', 'Maintenance'])
  const terms = async (locale: string) =>
    (await app.get(`/v1/legal-texts/terms?locale=${locale}`)).body.language
  assert.deepEqual([await terms('de'), await terms('en')], ['it', 'en'])
})
