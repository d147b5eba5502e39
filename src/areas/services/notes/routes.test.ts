import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#lib/id.ts'
import { gameShop } from '#test/game-shop.ts'
import { otherTenant, person } from '#test/people.ts'

const shop = await gameShop()
const { app, admin } = shop
const { plan } = await shop.server()
const reader = await person(app, { permissions: ['services:read'] })
const tenantId = await otherTenant(app, 'notes.test')
const foreigner = await person(app, { tenantId, admin: true })

async function serviceOf() {
  const owner = await shop.customer()
  await shop.buy(owner, plan.id)
  const { id } = await shop.serviceBecame(owner, 'active')
  return { owner, id, notes: `/v1/admin/services/${id}/notes` }
}

test('notes of staff about a service are part of the data export of its owner', async () => {
  const { owner, notes } = await serviceOf()
  const { notes: other } = await serviceOf()
  const { status, body, text } = await admin.post(notes, { text: 'Runs a heavy mod pack' })
  assert.equal(status, 201, text)
  assert.deepEqual([body.text, body.authorName], ['Runs a heavy mod pack', admin.name])
  assert.deepEqual((await reader.get(notes)).body.data, [body])
  assert.deepEqual((await reader.get(other)).body.data, [])
  assert.match((await owner.get('/v1/billing/export-data')).text, /Runs a heavy mod pack/)
  assert.equal((await admin.delete(`${other}/${body.id}`)).status, 404)
  assert.equal((await admin.delete(`${notes}/${body.id}`)).status, 200)
  assert.deepEqual((await reader.get(notes)).body.data, [])
})

test('customers, other shops and staff who may only read write no notes about a service', async () => {
  const { owner, notes } = await serviceOf()
  const { body: note } = await admin.post(notes, { text: 'Ours' })
  assert.equal((await owner.get(notes)).status, 403)
  assert.equal((await reader.post(notes, { text: 'No' })).status, 403)
  assert.equal((await reader.delete(`${notes}/${note.id}`)).status, 403)
  assert.equal((await admin.post(notes, { text: '  ' })).status, 400)
  assert.equal((await admin.get(`/v1/admin/services/${newId()}/notes`)).status, 404)
  for (const answer of [
    await foreigner.get(notes),
    await foreigner.post(notes, { text: 'No' }),
    await foreigner.delete(`${notes}/${note.id}`),
  ]) {
    assert.equal(answer.status, 404)
  }
})
