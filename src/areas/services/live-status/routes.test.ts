import assert from 'node:assert/strict'
import { test } from 'node:test'
import { transact } from '#platform/database/index.ts'
import { until } from '#test/app.ts'
import { gameShop } from '#test/game-shop.ts'
import { person } from '#test/people.ts'
import { addMember } from '../invitations/queries.ts'

const shop = await gameShop()
const { app, admin, db, tenantId, panel } = shop
const { plan } = await shop.server()
const ada = await shop.customer()
await shop.buy(ada, plan.id)
const { id } = await shop.serviceBecame(ada, 'active')
const path = `/v1/services/${id}`

const RESOURCES = 'GET /api/client/servers/{id}/resources'

async function friend(permissions: string[]) {
  const someone = await shop.customer()
  const { userId } = someone
  const createdAt = app.deps.clock.now()
  const member = { tenantId, serviceId: id, userId, permissions, createdAt }
  await transact(db, (tx) => addMember(tx, member))
  return someone
}

test('the panel is asked once for all who want to know at once', async () => {
  const before = await panel.calls('GET', /\/resources$/)
  const answers = await Promise.all(Array.from({ length: 8 }, () => ada.get(`${path}/status`)))
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
  assert.equal((await panel.calls('GET', /\/resources$/)) - before, 1)
  const [first] = answers
  assert.equal(first?.body.available, true)
})

test('one call says what several servers do, and leaves out what is not mine', async () => {
  const bob = await shop.customer()
  await shop.buy(bob, plan.id)
  const other = await shop.serviceBecame(bob, 'active')
  const waiting = (await shop.order(ada, plan.id)).order.items[0].serviceIds[0]
  const several = [id, other.id, waiting].join(',')
  const answer = await until('the panel answers', async () => {
    const { status, body, text } = await ada.get(`/v1/services/status?ids=${several}`)
    assert.equal(status, 200, text)
    return body.data.some((it: { live: { available: boolean } }) => it.live.available) && body
  })
  assert.deepEqual(
    answer.data.map((it: { id: string; live: { available: boolean } }) => [
      it.id,
      it.live.available,
    ]),
    [
      [waiting, false],
      [id, true],
    ],
  )
  assert.equal(answer.nextCursor, null)
  const newest = (await ada.get('/v1/services/status')).body
  assert.deepEqual(
    newest.data.map((it: { id: string }) => it.id),
    [waiting, id],
  )
  for (const wrong of ['ids=', 'ids=x', `ids=${new Array(26).fill(id).join(',')}`]) {
    assert.equal((await ada.get(`/v1/services/status?${wrong}`)).status, 400, wrong)
  }
})

test('a panel that is away is no error', async () => {
  await panel.fault(RESOURCES, 'html-502', { n: 9 })
  const away = await until('the panel is away', async () => {
    const answer = await ada.get(`${path}/status`)
    return !answer.body.available && answer
  })
  assert.deepEqual([away.status, away.body], [200, { available: false }])
})

test('who may use the power uses it, others do not', async () => {
  const player = await friend(['view', 'power'])
  const viewer = await friend(['view'])
  assert.equal((await viewer.get(`${path}/status`)).status, 200)
  assert.equal((await viewer.post(`${path}/power`, { action: 'stop' })).status, 403)
  assert.equal((await viewer.post(`${path}/reinstall`)).status, 403)
  const started = await player.post(`${path}/power`, { action: 'start' })
  await app.eventually('it is known who did it', async () => {
    const { body } = await shop.admin.get(`/v1/admin/audit-logs?actorId=${player.userId}`)
    return body.data.some(
      (it: { route: string; objectId: string }) =>
        it.route === '/v1/services/:id/power' && it.objectId === id,
    )
  })
  assert.equal(started.status, 200, started.text)
  assert.equal((await player.post(`${path}/power`, { action: 'explode' })).status, 400)
  assert.equal((await ada.post(`${path}/power`)).status, 400)
  const stranger = await shop.customer()
  assert.equal((await stranger.post(`${path}/power`, { action: 'kill' })).status, 404)
  assert.equal((await stranger.get(`${path}/status`)).status, 404)
})

test('a panel that cannot do it is a 502, a busy server a 409', async () => {
  const power = 'POST /api/client/servers/{id}/power'
  await panel.fault(power, 'conflict-409')
  const busy = await ada.post(`${path}/power`, { action: 'start' })
  assert.deepEqual([busy.status, busy.body.code], [409, 'server_busy'])
  await panel.fault(power, 'commit-then-500')
  const unknown = await ada.post(`${path}/power`, { action: 'start' })
  assert.equal(unknown.status, 502, unknown.text)
})

test('a server is installed anew by its owner', async () => {
  const again = await ada.post(`${path}/reinstall`)
  assert.equal(again.status, 200, again.text)
  assert.equal(await panel.calls('POST', /\/reinstall$/), 1)
  await app.eventually('its end is told', async () => {
    const { data } = (await ada.get('/v1/notifications')).body
    return data.some((it: { kind: string }) => it.kind === 'service_reinstalled')
  })
})

test('a reinstallation that fails is told, one that the panel refuses is not', async () => {
  const REINSTALL = 'POST /api/application/servers/{id}/reinstall'
  await panel.fault(REINSTALL, 'conflict-409')
  assert.equal((await ada.post(`${path}/reinstall`)).status, 409)
  const none = await db
    .selectFrom('services.reinstalls')
    .select('id')
    .where('finishedAt', 'is', null)
  assert.deepEqual(await none.execute(), [])
  await panel.post('installs', { outcome: 'fail', n: 1 })
  assert.equal((await ada.post(`${path}/reinstall`)).status, 200)
  await app.eventually('its failure is told', async () => {
    const { data } = (await ada.get('/v1/notifications')).body
    return data.some((it: { kind: string }) => it.kind === 'service_reinstall_failed')
  })
  assert.equal((await ada.post(`${path}/reinstall`)).status, 200)
})

test('members are listed by first name, and leave or are sent away', async () => {
  const [one, two] = [await friend(['view', 'files']), await friend(['view'])]
  const { data } = (await ada.get(`${path}/members`)).body
  assert.equal(data[0].role, 'owner')
  const listed = data.find((it: { userId: string }) => it.userId === one.userId)
  assert.deepEqual(listed.permissions, ['view', 'files'])
  assert.ok(!listed.name.includes(' '))
  assert.equal((await one.delete(`${path}/members/${two.userId}`)).status, 403)
  assert.equal((await one.delete(`${path}/members/${one.userId}`)).status, 200)
  assert.equal((await one.get(path)).status, 404)
  assert.equal((await ada.delete(`${path}/members/${two.userId}`)).status, 200)
  assert.equal((await ada.delete(`${path}/members/${two.userId}`)).status, 404)
  assert.equal((await ada.delete(`${path}/members/${ada.userId}`)).status, 404)
})

test('who accepts an invitation may use the server on the panel, until they are sent away', async () => {
  const player = await person(app)
  const body = { email: player.email, permissions: ['power'] }
  const { token } = (await ada.post(`${path}/invitations`, body)).body
  assert.equal((await player.post(`/v1/invitations/${token}/accept`)).status, 200)
  const own = () =>
    db
      .selectFrom('services.panel_subusers')
      .selectAll()
      .where('userId', '=', player.userId)
      .executeTakeFirst()
  await until('the panel knows them', async () => (await own())?.subuserUuid)
  const created = await panel.calls('POST', /\/users$/)
  assert.ok(created > 0)
  assert.equal((await ada.delete(`${path}/members/${player.userId}`)).status, 200)
  await until('the panel forgot them', async () => (await own()) === undefined)
  assert.ok((await panel.calls('DELETE', /\/users\/[^/]+$/)) >= 1)
})

test('who is sent away while the server is suspended is gone from the panel once it is back', async () => {
  const player = await person(app)
  const body = { email: player.email, permissions: ['power'] }
  const { token } = (await ada.post(`${path}/invitations`, body)).body
  assert.equal((await player.post(`/v1/invitations/${token}/accept`)).status, 200)
  const own = () =>
    db
      .selectFrom('services.panel_subusers')
      .selectAll()
      .where('userId', '=', player.userId)
      .executeTakeFirst()
  await until('the panel knows them', async () => (await own())?.subuserUuid)
  const statusBecame = (status: string) =>
    app.eventually(`it is ${status}`, async () => (await ada.get(path)).body.status === status)
  await admin.post(`/v1/admin/services/${id}/suspend`, {})
  await statusBecame('suspended')
  assert.equal((await ada.delete(`${path}/members/${player.userId}`)).status, 200)
  await app.eventually('the job has run', async () => {
    const { rows } = await app.deps.database.execute(
      `select 1 from jobs.job where name = 'services.sync-members' and state <> 'completed'`,
    )
    return rows.length === 0
  })
  assert.ok(await own())
  await admin.post(`/v1/admin/services/${id}/unsuspend`, {})
  await statusBecame('active')
  await until('the panel forgot them', async () => (await own()) === undefined)
})
