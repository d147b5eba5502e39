import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_MS, HOUR_MS, later } from '#lib/time.ts'
import { transact } from '#platform/database/index.ts'
import { until } from '#test/app.ts'
import type { Answer } from '#test/client.ts'
import { gameShop } from '#test/game-shop.ts'
import { otherTenant, type Person, person } from '#test/people.ts'
import { notifySome } from './notices/actions.ts'

type Body = Answer['body']

const shop = await gameShop()
const { app, admin, nodeId, tenantId, panel } = shop
const { database, clock } = app.deps
const url = '/v1/admin/incidents'
const titles = { en: 'Network failure', fr: 'Panne de réseau' }
const texts = { en: 'We are looking for the cause.', fr: 'Nous cherchons la cause.' }
const INCIDENT = { kind: 'incident', impact: 'major', titles }

const ada = await shop.customer('FR')
const bob = await person(app)
const { product, plan } = await shop.server()
await shop.buy(ada, plan.id)
const { id: serviceId } = await shop.serviceBecame(ada, 'active')
await ada.patch('/v1/users/me', { locale: 'fr' })

async function drafted(body: object = {}): Promise<Body> {
  const answer = await admin.post(url, { ...INCIDENT, ...body })
  assert.equal(answer.status, 201, answer.text)
  return answer.body
}

async function published(body: object = {}, more: object = {}): Promise<Body> {
  const { id } = await drafted(body)
  const answer = await admin.post(`${url}/${id}/publish`, { texts, ...more })
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

async function updatesOf(id: string): Promise<Body[]> {
  return (await admin.get(`${url}/${id}/updates`)).body.data
}

/** How many people an update reached, once it has reached all. */
const reached = (id: string): Promise<Body> =>
  until('the affected customers are notified', async () => {
    const [newest] = await updatesOf(id)
    return newest.isNotifying ? null : newest
  })

async function noticesOf(id: string, who: Person): Promise<Body[]> {
  const { data } = (await who.get('/v1/notifications')).body
  return data.filter((it: Body) => it.link === `/status/${id}`)
}

test('a draft is for staff only, and a published incident is seen by everyone in their language', async () => {
  const { id, status } = await drafted({ nodeIds: [nodeId] })
  assert.equal(status, 'draft')
  const at = `/v1/status/incidents/${id}`
  assert.equal((await app.get(at)).status, 404)
  const { ongoing } = (await app.get('/v1/status')).body
  assert.ok(!ongoing.some((it: Body) => it.id === id))
  const opened = await admin.post(`${url}/${id}/publish`, { texts, notify: false })
  assert.equal(opened.body.status, 'investigating')
  const french = await app.get(at, { headers: { 'accept-language': 'fr' } })
  assert.deepEqual(
    [french.body.title, french.body.updates[0].text, french.body.gameServers],
    [titles.fr, texts.fr, true],
  )
  assert.equal((await app.get(at)).body.title, titles.en)
  assert.equal((await app.get('/v1/status')).body.state, 'major')
  const again = await admin.post(`${url}/${id}/publish`, { texts })
  assert.deepEqual([again.status, again.body.code], [409, 'incident_published'])
  assert.equal((await admin.delete(`${url}/${id}`)).body.code, 'incident_published')

  const elsewhere = await otherTenant(app, 'incidents.test')
  const foreigner = await person(app, { tenantId: elsewhere, admin: true })
  assert.equal((await foreigner.get(at)).status, 404)
  assert.equal((await foreigner.get(`${url}/${id}`)).status, 404)
  const resolved = await admin.post(`${url}/${id}/updates`, { texts, state: 'resolved' })
  assert.equal(resolved.status, 201, resolved.text)
  assert.equal((await app.get(at)).body.status, 'resolved')
  assert.equal((await app.get('/v1/status')).body.state, 'operational')
  const history = (await app.get('/v1/status/history')).body.data
  assert.deepEqual([history[0].id, history[0].newest.status], [id, 'resolved'])
  for (const body of [{ texts }, { texts, state: 'monitoring' }]) {
    assert.equal((await admin.post(`${url}/${id}/updates`, body)).body.code, 'incident_over')
  }
  assert.equal((await admin.patch(`${url}/${id}`, { impact: 'minor' })).body.code, 'incident_over')
})

test('each permission opens its own operations', async () => {
  const { id } = await drafted()
  const reader = await person(app, { permissions: ['incidents:read'] })
  assert.equal((await reader.get(`${url}/${id}/audience`)).status, 200)
  for (const answer of [
    await reader.post(url, INCIDENT),
    await reader.patch(`${url}/${id}`, { impact: 'minor' }),
    await reader.post(`${url}/${id}/publish`, { texts }),
    await reader.post(`${url}/${id}/updates`, { texts }),
    await reader.delete(`${url}/${id}`),
    await bob.get(url),
  ]) {
    assert.equal(answer.status, 403)
  }
  assert.equal((await admin.delete(`${url}/${id}`)).status, 200)
  assert.equal((await admin.get(`${url}/${id}`)).status, 404)
})

test('the owners of affected services are notified once of each update that notifies, and nobody else', async () => {
  const { id } = await drafted({ nodeIds: [nodeId], productIds: [product.id] })
  assert.deepEqual((await admin.get(`${url}/${id}/audience`)).body, { customers: 1 })
  const unnoticed = await admin.post(`${url}/${id}/updates`, { texts })
  assert.equal(unnoticed.body.code, 'incident_not_published')
  await admin.post(`${url}/${id}/publish`, { texts })
  assert.equal((await reached(id)).notified, 1)
  const [opened] = await noticesOf(id, ada)
  assert.deepEqual(
    [opened.kind, opened.title, opened.body],
    ['incident_opened', 'Incident : Panne de réseau', texts.fr],
  )
  const quiet = { texts: { en: 'A switch failed.' }, state: 'identified' }
  assert.equal((await admin.post(`${url}/${id}/updates`, quiet)).status, 201)
  await admin.post(`${url}/${id}/updates`, { texts, state: 'resolved', notify: true })
  assert.equal((await reached(id)).notified, 1)
  const kinds = (await noticesOf(id, ada)).map(({ kind }) => kind)
  assert.deepEqual(kinds, ['incident_resolved', 'incident_opened'])
  assert.deepEqual(await noticesOf(id, bob), [])
  const { data: mails } = (await admin.get('/v1/admin/mails?kind=incident_opened')).body
  assert.deepEqual(
    mails.map(({ recipient }: Body) => recipient),
    [ada.email],
  )
})

test('a customer who wants no mail about incidents gets none', async () => {
  const wish = { kind: 'incident_opened', email: false }
  await ada.patch('/v1/notifications/preferences', { data: [wish] })
  const before = (await admin.get('/v1/admin/mails?kind=incident_opened')).body.data.length
  const { id } = await published({ nodeIds: [nodeId] })
  assert.equal((await reached(id)).notified, 1)
  assert.equal((await noticesOf(id, ada)).length, 1)
  const after = (await admin.get('/v1/admin/mails?kind=incident_opened')).body.data.length
  assert.equal(after, before)
  await admin.post(`${url}/${id}/updates`, { texts, state: 'resolved' })
})

test('a customer sees which of their services are affected, as long as it goes on', async () => {
  const { id } = await published({ productIds: [product.id] }, { notify: false })
  const own = async (who: Person) => (await who.get('/v1/incidents')).body.data
  const [shown] = await own(ada)
  assert.deepEqual([shown.id, shown.serviceIds], [id, [serviceId]])
  assert.deepEqual(
    shown.products.map((it: Body) => it.id),
    [product.id],
  )
  assert.deepEqual(await own(bob), [])
  const friend = await shop.customer()
  const invited = { email: friend.email, permissions: ['power'] }
  const { body: invitation } = await ada.post(`/v1/services/${serviceId}/invitations`, invited)
  await friend.post(`/v1/invitations/${invitation.token}/accept`)
  const shared = (await own(friend)).map((it: Body) => [it.id, it.serviceIds])
  assert.deepEqual(shared, [[id, [serviceId]]], 'a shared service counts')
  await admin.post(`${url}/${id}/updates`, { texts, state: 'resolved' })
  assert.deepEqual(await own(ada), [])
})

test('maintenance is announced a day ahead, begins and ends at its times, and is not changed afterwards', async () => {
  const now = clock.now()
  const planned = {
    ...{ kind: 'maintenance', impact: 'minor', nodeIds: [nodeId] },
    ...{ startsAt: later(now, HOUR_MS), endsAt: later(now, 2 * HOUR_MS) },
  }
  const soon = await drafted(planned)
  const refused = await admin.post(`${url}/${soon.id}/publish`, { texts })
  assert.deepEqual([refused.status, refused.body.code], [422, 'maintenance_soon'])
  const urgent = await admin.post(`${url}/${soon.id}/publish`, { texts, urgent: true })
  assert.equal(urgent.body.status, 'scheduled')
  assert.equal((await reached(soon.id)).notified, 1)
  const [notice] = await noticesOf(soon.id, ada)
  assert.equal(notice.kind, 'maintenance_planned')
  assert.match(notice.body, /Nous cherchons la cause\.\n\n.* UTC$/)
  for (const state of ['resolved', 'investigating', 'in_progress']) {
    const answer = await admin.post(`${url}/${soon.id}/updates`, { texts, state })
    assert.equal(answer.status, 400, state)
  }
  const tomorrow = { startsAt: later(now, 25 * HOUR_MS), endsAt: later(now, 26 * HOUR_MS) }
  const canceled = await published({ ...planned, ...tomorrow }, { notify: false })
  await admin.post(`${url}/${canceled.id}/updates`, { texts, state: 'canceled', notify: true })
  assert.equal((await reached(canceled.id)).state, 'canceled')
  assert.equal(
    (await noticesOf(canceled.id, ada))[0].title,
    'Maintenance annulée : Panne de réseau',
  )

  const past = await drafted({ ...planned, ...{ startsAt: later(now, HOUR_MS) } })
  await app.advance(HOUR_MS / 1000 + 60)
  const statusOf = async () => (await app.get(`/v1/status/incidents/${soon.id}`)).body.status
  assert.equal(await statusOf(), 'in_progress')
  assert.equal((await app.get('/v1/status')).body.state, 'maintenance')
  await app.advance(HOUR_MS / 1000)
  assert.equal(await statusOf(), 'completed')
  const { resolvedAt, endsAt } = await app.eventually('it has an end', async () => {
    const { body } = await admin.get(`${url}/${soon.id}`)
    return body.resolvedAt && body
  })
  assert.equal(resolvedAt, endsAt)
  const late = await admin.post(`${url}/${past.id}/publish`, { texts, urgent: true })
  assert.deepEqual([late.status, late.body.code], [422, 'maintenance_past'])
  const moved = await admin.patch(`${url}/${soon.id}`, { endsAt: later(clock.now(), DAY_MS) })
  assert.equal(moved.body.code, 'incident_over')
})

test('impossible times, unknown things and fields of the service are refused', async () => {
  const now = clock.now()
  const maintenance = { kind: 'maintenance', impact: 'none', titles }
  const times = { startsAt: later(now, 2 * DAY_MS), endsAt: later(now, DAY_MS) }
  for (const [body, path] of [
    [{ ...maintenance }, 'startsAt'],
    [{ ...maintenance, startsAt: now }, 'endsAt'],
    [{ ...maintenance, ...times }, 'endsAt'],
    [{ ...INCIDENT, endsAt: later(now, DAY_MS) }, 'endsAt'],
    [{ ...INCIDENT, productIds: [nodeId] }, 'productIds.0'],
    [{ ...INCIDENT, titles: { en: ' ' } }, 'titles.en'],
    [{ ...INCIDENT, titles: {} }, 'titles'],
    [{ ...INCIDENT, publishedAt: now }, 'publishedAt'],
  ] as const) {
    const answer = await admin.post(url, body)
    assert.equal(answer.status, 400, answer.text)
    assert.equal(answer.body.details[0].path, path, answer.text)
  }
})

/** Further customers with a service each on a panel connection. */
async function customersOn(panelId: string, count: number): Promise<void> {
  await database.execute(
    `with people as (
       insert into users.users (tenant_id, id, email, name, created_at)
       select $1, gen_random_uuid(), 'on' || n || $3 || '@example.org', 'Crowd', now()
         from generate_series(1, $4::integer) as n
       returning id)
     insert into services.services
     select (jsonb_populate_record(service, jsonb_build_object(
              'id', gen_random_uuid(), 'external_id', gen_random_uuid(), 'user_id', people.id,
              'node_id', $3, 'order_id', null, 'order_item_id', null, 'invoice_id', null,
              'server_id', null, 'server_uuid', null, 'identifier', null, 'address', null))).*
       from services.services as service, people
      where service.tenant_id = $1 and service.id = $2`,
    [tenantId, serviceId, panelId, count],
  )
}

async function addPanel(name: string): Promise<string> {
  const key = { apiKey: panel.applicationKey, clientApiKey: panel.clientKey }
  const body = { name, url: panel.url, type: 'pterodactyl', ...key }
  const answer = await admin.post('/v1/admin/nodes', body)
  assert.equal(answer.status, 201, answer.text)
  return answer.body.id
}

/** How often the customers of each panel connection were notified of an incident: notices and people. */
async function countNotified(id: string): Promise<Body[]> {
  const { rows } = await database.execute(
    `select service.node_id, count(*)::integer as notices, count(distinct notice.user_id)::integer as people
       from notifications.notifications as notice
       join services.services as service
         on service.tenant_id = notice.tenant_id and service.user_id = notice.user_id
      where notice.tenant_id = $1 and notice.link = $2
      group by 1 order by notices`,
    [tenantId, `/status/${id}`],
  )
  return rows
}

test('support A86: each affected owner is notified once though the run dies at every batch and is started twice; a node added later notifies only its own customers', async () => {
  const [first, second, third, untouched] = [
    await addPanel('par-01'),
    await addPanel('par-02'),
    await addPanel('par-03'),
    await addPanel('par-04'),
  ]
  for (const [at, count] of [
    [first, 230],
    [second, 220],
    [third, 3],
    [untouched, 2],
  ] as const) {
    await customersOn(at, count)
  }
  const { id } = await published({ nodeIds: [first, second] }, { notify: false })
  const [update] = await updatesOf(id)
  await database.execute(
    'update incidents.updates set notify = true where tenant_id = $1 and id = $2',
    [tenantId, update.id],
  )
  const key = { tenantId, id: update.id as string }
  const run = (dies: boolean) =>
    transact(database.of(tenantId), async (tx) => {
      const left = await notifySome(tx, key, clock.now())
      if (dies) throw new Error('It dies here')
      return left
    })
  let left = true
  while (left) {
    await assert.rejects(run(true), /dies here/)
    const both = await Promise.all([run(false), run(false)])
    left = both.every(Boolean)
  }
  assert.equal(await run(false), false)
  assert.deepEqual(
    (await countNotified(id)).map(({ node_id, notices, people }) => [node_id, notices, people]),
    [
      [second, 220, 220],
      [first, 230, 230],
    ],
  )
  const changed = await admin.patch(`${url}/${id}`, { nodeIds: [first, second, third] })
  assert.equal(changed.status, 200, changed.text)
  assert.equal((await reached(id)).notified, 453)
  assert.deepEqual(
    (await countNotified(id)).map(({ node_id, notices, people }) => [node_id, notices, people]),
    [
      [third, 3, 3],
      [second, 220, 220],
      [first, 230, 230],
    ],
  )
})
