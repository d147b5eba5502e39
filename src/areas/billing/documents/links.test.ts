import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openInvoice } from '#billing'
import { newId } from '#lib/id.ts'
import { HOUR_MS, later, MINUTE_MS } from '#lib/time.ts'
import { transact } from '#platform/database/index.ts'
import { testApp, until } from '#test/app.ts'
import { documentOf } from '#test/billing-shop.ts'
import { otherTenant, type Person, person } from '#test/people.ts'
import { linkToken } from './links.ts'

const app = await testApp(null)
const { tenantId } = app
const db = app.deps.database.of(tenantId)
const admin = await person(app, { admin: true })
const ada = await person(app, { country: 'FR' })
const eve = await person(app, { country: 'FR' })

function issue(user: Person) {
  const now = app.deps.clock.now()
  const document = documentOf([{ totalCents: 1200, rate: 2000 }])
  const about = { tenantId, userId: user.userId, kind: 'manual' as const, reference: newId() }
  return transact(db, (tx) =>
    openInvoice(tx, { ...about, document, dueAt: later(now, HOUR_MS) }, now),
  )
}

/** What a browser without a credential gets of a link, once the document is made. */
function opened(url: string) {
  const { pathname } = new URL(url)
  return until('the document is made', async () => {
    const answer = await app.get(pathname)
    return answer.status !== 202 && answer
  })
}

test('a link opens the PDF and the e-invoice of an invoice without a credential', async () => {
  const { id, number } = await issue(ada)
  const types = { pdf: 'application/pdf', cii: 'application/xml', ubl: 'application/xml' }
  for (const [format, type] of Object.entries(types)) {
    const { status, body } = await ada.get(`/v1/billing/invoices/${id}/link?format=${format}`)
    assert.equal(status, 200)
    const answer = await opened(body.url)
    assert.equal(answer.status, 200)
    assert.match(String(answer.headers['content-type']), new RegExp(`^${type}`))
    assert.match(String(answer.headers['content-disposition']), new RegExp(`filename="${number}`))
    const path = format === 'pdf' ? 'pdf' : `xml?format=${format}`
    const own = await ada.get(`/v1/billing/invoices/${id}/${path}`)
    assert.equal(answer.text, own.text)
  }
})

test('a link opens a credit note', async () => {
  const { id } = await issue(ada)
  const voided = await admin.post(`/v1/admin/invoices/${id}/void`, { reason: 'Entered twice' })
  assert.equal(voided.status, 200, voided.text)
  const { body: notes } = await ada.get('/v1/billing/credit-notes')
  const { body } = await ada.get(`/v1/billing/credit-notes/${notes.data[0].id}/link`)
  assert.equal((await opened(body.url)).headers['content-type'], 'application/pdf')
})

test('a link ends after ten minutes, and is one of its shop', async () => {
  const { id } = await issue(ada)
  const { body } = await ada.get(`/v1/billing/invoices/${id}/link`)
  const now = app.deps.clock.now()
  const leftMs = Date.parse(body.expiresAt) - Date.parse(now)
  assert.ok(leftMs > 9 * MINUTE_MS && leftMs <= 10 * MINUTE_MS, `${leftMs} ms`)
  const document = { source: 'invoice', id, format: 'pdf' } as const
  const open = (token: string) => app.get(`/v1/billing/documents/${token}`)
  const { secrets } = app.deps
  const old = linkToken(secrets, tenantId, document, later(now, -10 * MINUTE_MS))
  assert.deepEqual(
    [(await open(old.token)).status, (await open(old.token)).body.code],
    [410, 'gone'],
  )
  const elsewhere = await otherTenant(app, 'elsewhere.example')
  const foreign = linkToken(secrets, elsewhere, document, now)
  const damaged = new URL(body.url).pathname.split('/').at(-1)?.slice(0, -2) ?? ''
  for (const token of [foreign.token, damaged, 'guess']) {
    assert.equal((await open(token)).status, 404, token)
  }
})

test('only who may read an invoice gets a link to it, and only to what it has', async () => {
  const { id } = await issue(ada)
  assert.equal((await eve.get(`/v1/billing/invoices/${id}/link`)).status, 404)
  assert.equal((await app.get(`/v1/billing/invoices/${id}/link`)).status, 401)
  assert.equal((await ada.get(`/v1/billing/invoices/${id}/link?format=docx`)).status, 400)
  assert.equal((await ada.get(`/v1/billing/credit-notes/${newId()}/link`)).status, 404)
  const draft = await admin.post('/v1/admin/invoices', {
    ...{ userId: ada.userId, lines: [{ description: 'Work', unitPriceCents: 100, quantity: 1 }] },
  })
  assert.equal(draft.status, 201, draft.text)
  const refused = await ada.get(`/v1/billing/invoices/${draft.body.id}/link`)
  assert.ok([404, 409].includes(refused.status), refused.text)
})
