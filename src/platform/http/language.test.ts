import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fr } from '#lib/problem-messages/fr.ts'
import { testApp } from '#test/app.ts'
import { person } from '#test/people.ts'

const app = await testApp(null)
const preferring = (language: string) => ({ headers: { 'accept-language': language } })
const FRENCH = preferring('sv;q=0.9, fr-CA;q=0.8, en;q=0.7')
const SHORT = { email: 'ada@example.org', password: '', name: 'Ada', country: 'FR' }

test('an error is told in French to who prefers it, and in English to everybody else', async () => {
  const path = '/v1/services'
  const french = await app.get(path, FRENCH)
  assert.deepEqual([french.status, french.body.code], [401, 'unauthorized'])
  assert.equal(french.body.message, fr.unauthorized)
  for (const asked of [undefined, 'ja', 'en-GB, fr;q=0.5', 'not a language;;;q=x']) {
    const { body } = await app.get(path, asked === undefined ? {} : preferring(asked))
    assert.equal(body.message, 'A valid credential is required.')
    assert.equal(body.code, 'unauthorized')
  }
})

test('what is wrong with a field is told in the language of the caller, with the same path', async () => {
  const english = await app.post('/v1/auth/register', SHORT)
  assert.deepEqual(english.body.details, [
    { path: 'password', message: 'must have at least 10 characters' },
  ])
  assert.equal(english.body.message, 'password must have at least 10 characters')
  const french = await app.post('/v1/auth/register', SHORT, FRENCH)
  assert.deepEqual(french.body.details, [
    { path: 'password', message: 'doit avoir au moins 10 caractères' },
  ])
  assert.equal(french.body.message, 'password doit avoir au moins 10 caractères')
  const { email, ...without } = SHORT
  const missing = await app.post('/v1/auth/register', without, FRENCH)
  assert.deepEqual(missing.body.details, [{ path: 'email', message: 'est obligatoire' }])
  const unknown = await app.post('/v1/auth/register', { ...SHORT, age: 3, email }, FRENCH)
  assert.deepEqual(unknown.body.details, [{ path: 'age', message: 'n’est pas un champ connu' }])
})

test('the refusals of a bulk action and of a quote are in the language of the caller', async () => {
  const admin = await person(app, { admin: true })
  const ids = ['01900000-0000-7000-8000-000000000000']
  const body = { action: 'suspend', ids, dryRun: true }
  const bulk = await admin.post('/v1/admin/services/bulk', body, FRENCH)
  assert.equal(bulk.body.rows[0].message, fr.not_found)
  const quote = await app.post('/v1/store/quote', { items: [], coupons: ['NOPE'] }, FRENCH)
  assert.equal(quote.body.faults[0].message, fr.coupon_unknown)
})
