import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Webhook } from 'standardwebhooks'
import { newId } from '#lib/id.ts'
import { type Instant, instant, later, millis } from '#lib/time.ts'
import { transact } from '#platform/database/index.ts'
import { until } from '#test/app.ts'
import { answers, type Behaviour } from '#test/receiver.ts'
import { ENDPOINTS, hookShop } from '#test/webhooks.ts'
import { writeMessage } from '../messages/actions.ts'
import { claimDue } from './queries.ts'

const shop = await hookShop()
const { app, admin, target, alone } = shop
const { tenantId, deps } = app
const db = deps.database.of(tenantId)
const HOUR = 3600
const DAY = 24 * HOUR

type Message = {
  type: string
  version: number
  timestamp: Instant
  data: Record<string, unknown>
}
type Shown = { status: string; attempts: number; nextAttemptAt: string | null }
const delivered = ({ status }: Shown) => status === 'delivered'
/** Whether a delivery waits for its next try after so many. */
const tried = (times: number) => (it: Shown) =>
  it.attempts === times && it.status === 'pending' && (it.nextAttemptAt ?? '') > deps.clock.now()

/** Moves the clock to the next try of a delivery. */
async function toNextTry({ nextAttemptAt }: Shown): Promise<void> {
  const ms = millis(instant(nextAttemptAt ?? '')) - millis(deps.clock.now())
  await app.advance(Math.max(0, ms / 1000) + 1)
}

alone(
  'what happens is sent as Standard Webhooks has it, once to each who hears of it',
  async () => {
    const { id, secret } = await shop.endpoint('/first')
    await shop.endpoint('/everything', { events: null })
    await shop.endpoint('/invoices', { events: ['invoice.paid'] })
    const userId = await shop.happens()
    const [first] = await shop.arrived('/first', 1)
    const headers = first?.headers as Record<string, string>
    const told = new Webhook(secret).verify(first?.body ?? '', headers) as Message
    assert.throws(() => new Webhook(secret).verify(`${first?.body} `, headers))
    const { type, version, timestamp, data } = told
    assert.deepEqual([type, version], ['user.registered', 1])
    assert.ok(Math.abs(millis(timestamp) - millis(deps.clock.now())) < 60_000)
    const { createdAt, emailVerifiedAt, ...rest } = data
    assert.deepEqual(rest, { id: userId, status: 'active', country: null, locale: 'en' })
    assert.equal(headers['content-type'], 'application/json')
    await shop.arrived('/everything', 1)
    const row = await shop.delivery(id, delivered)
    assert.deepEqual([row.attempts, row.statusCode, row.messageId], [1, 204, first?.id])
    assert.deepEqual(target.at('/invoices'), [])
    const { body } = await admin.get(`${ENDPOINTS}/deliveries/${row.id}`)
    assert.equal(body.requestBody, first?.body)
    assert.deepEqual([body.log.length, body.log[0].statusCode], [1, 204])
  },
)

alone('an event that is told twice is one delivery', async () => {
  const { id: endpointId } = await shop.endpoint('/twice')
  const message = {
    ...{ tenantId, id: newId(), type: 'user.registered' },
    ...{ objectId: null, userId: null, body: '{}' },
  }
  for (const at of [deps.clock.now(), later(deps.clock.now(), 1000)]) {
    await transact(db, (tx) => writeMessage(tx, message, at))
  }
  await shop.delivery(endpointId, delivered)
  assert.equal((await shop.deliveries(endpointId)).length, 1)
  assert.equal(target.at('/twice').length, 1)
})

const hangUp: Behaviour = (response) => void response.socket?.destroy()

const failures = [
  ['an error', '/e500', answers(500, {}, 'down'), 500, 'status'],
  ['a redirect', '/e302', answers(302, { location: `${target.url}/inside` }), 302, 'redirect'],
  ['a broken connection', '/reset', hangUp, null, 'reset'],
] as const

for (const [what, path, behaviour, statusCode, error] of failures) {
  alone(`after ${what} the same message comes again, and arrives (hardening 29)`, async () => {
    const { id } = await shop.endpoint(path)
    target.on(path, behaviour)
    await shop.happens()
    const failed = await shop.delivery(id, tried(1))
    assert.deepEqual([failed.statusCode, failed.error], [statusCode, error])
    target.on(path, answers(200))
    await toNextTry(failed)
    await shop.delivery(id, delivered)
    const [first, second] = target.at(path)
    assert.deepEqual([second?.id, second?.body], [first?.id, first?.body])
    const { body } = await admin.get(`${ENDPOINTS}/deliveries/${failed.id}`)
    // The receiver stands in a private network: what it says is not shown.
    assert.deepEqual([body.log[1].error, body.log[1].responseBody], [error, null])
    assert.deepEqual(target.at('/inside'), [], 'redirects are not followed')
  })
}

alone('an answer without end is cut off', async () => {
  const { id } = await shop.endpoint('/endless')
  const chunk = Buffer.alloc(64 * 1024, 'x')
  let sent = 0
  const gigabytes = function* () {
    for (; sent < 1024 ** 3; sent += chunk.length) yield chunk
  }
  target.on('/endless', async (response) => {
    response.writeHead(200)
    await pipeline(Readable.from(gigabytes()), response).catch(() => {})
  })
  await shop.happens()
  await shop.delivery(id, delivered)
  assert.ok(sent < 64 * 1024 ** 2, `${sent} bytes`)
})

alone('who asks to wait is left alone so long, with everything', async () => {
  const { id } = await shop.endpoint('/busy')
  target.on('/busy', answers(429, { 'retry-after': '900' }))
  await shop.happens()
  const failed = await shop.delivery(id, tried(1))
  assert.ok(millis(failed.nextAttemptAt) - millis(deps.clock.now()) > 850_000)
  target.on('/busy', answers(200))
  await shop.happens()
  await app.advance(600)
  await shop.endpoint('/idle')
  await shop.happens()
  await shop.arrived('/idle', 1)
  assert.equal(target.at('/busy').length, 1)
  await app.advance(400)
  await shop.arrived('/busy', 4)
})

alone('410 switches an endpoint off, and those who run the shop hear of it', async () => {
  const { id } = await shop.endpoint('/gone')
  target.on('/gone', answers(410))
  await shop.happens()
  const endpoint = await until('it is off', async () => {
    const { body } = await admin.get(`${ENDPOINTS}/${id}`)
    return body.disabledAt && body
  })
  assert.deepEqual([endpoint.enabled, endpoint.disabledReason], [false, 'gone'])
  const { rows } = await deps.database.execute(
    `select count(*)::int as count from notifications.notifications
     where user_id = $1 and data ->> 'topic' = 'endpoint_disabled' and title like '% was disabled'`,
    [admin.userId],
  )
  assert.equal(rows[0]?.count, 1)
})

alone(
  'an endpoint that is off is sent nothing; all of it is kept, and goes when it is asked for',
  async () => {
    const { id } = await shop.endpoint('/off')
    target.on('/off', answers(500))
    await shop.happens()
    await shop.delivery(id, tried(1))
    await admin.patch(`${ENDPOINTS}/${id}`, { enabled: false })
    target.on('/off', answers(200))
    await shop.happens()
    const held = await shop.delivery(id, ({ status }) => status === 'held')
    for (const path of [`deliveries/${held.id}/replay`, `${id}/replay`]) {
      const { status, body } = await admin.post(`${ENDPOINTS}/${path}`)
      assert.deepEqual([status, body.code], [409, 'endpoint_disabled'])
    }
    await app.advance(HOUR)
    assert.equal(target.at('/off').length, 1)
    await admin.patch(`${ENDPOINTS}/${id}`, { enabled: true })
    await shop.arrived('/off', 2)
    assert.equal((await shop.deliveries(id, '?status=held')).length, 1)
    assert.deepEqual((await admin.post(`${ENDPOINTS}/${id}/replay`)).body, { replayed: 1 })
    await shop.arrived('/off', 3)
    await until('all have arrived', async () => {
      return (await shop.deliveries(id, '?status=delivered&type=user.registered')).length === 2
    })
  },
)

alone('a message arrives although its receiver was down for three days', async () => {
  const { id } = await shop.endpoint('/down')
  target.on('/down', answers(503))
  await shop.happens()
  const began = deps.clock.now()
  for (let times = 1; times < 10; times += 1) {
    const row = await shop.delivery(id, tried(times))
    if (times === 9) target.on('/down', answers(200))
    await toNextTry(row)
  }
  await shop.delivery(id, delivered)
  assert.ok(millis(deps.clock.now()) - millis(began) > 3 * DAY * 1000)
  assert.equal(new Set(target.at('/down').map((it) => it.id)).size, 1)
  const { body } = await admin.get(`${ENDPOINTS}/${id}`)
  assert.deepEqual([body.enabled, body.failingSince], [true, null])
})

alone(
  'after the last try a delivery has failed, and can be sent again with the same id',
  async () => {
    const { id } = await shop.endpoint('/never')
    target.on('/never', answers(500))
    await shop.happens()
    for (let times = 1; times < 10; times += 1)
      await toNextTry(await shop.delivery(id, tried(times)))
    const failed = await shop.delivery(id, ({ status }) => status === 'failed')
    assert.deepEqual([failed.attempts, failed.nextAttemptAt], [10, null])
    target.on('/never', answers(200))
    assert.equal((await admin.post(`${ENDPOINTS}/deliveries/${failed.id}/replay`)).status, 200)
    const again = await shop.delivery(id, delivered)
    assert.deepEqual([again.id, again.attempts], [failed.id, 11])
    assert.equal(new Set(target.at('/never').map((it) => it.id)).size, 1)
  },
)

alone('five days without a success switch an endpoint off', async () => {
  const { id } = await shop.endpoint('/broken')
  target.on('/broken', answers(500))
  await shop.happens()
  await shop.delivery(id, tried(1))
  await app.advance(5 * DAY)
  const endpoint = await app.eventually('it is off', async () => {
    const { body } = await admin.get(`${ENDPOINTS}/${id}`)
    return body.disabledAt && body
  })
  assert.equal(endpoint.disabledReason, 'failing')
  const on = await admin.patch(`${ENDPOINTS}/${id}`, { enabled: true })
  assert.deepEqual([on.body.enabled, on.body.failingSince], [true, null])
  target.on('/broken', answers(200))
})

alone(
  'with order wanted, messages about one object wait for one another, and for no others',
  async () => {
    const { id } = await shop.endpoint('/ordered', { ordered: true })
    target.on('/ordered', answers(500))
    const ada = await shop.happens()
    const first = await shop.delivery(id, tried(1))
    await shop.happens(ada)
    await shop.happens(ada)
    await until('two wait', async () => (await shop.deliveries(id)).length === 3)
    target.on('/ordered', answers(200))
    const grace = await shop.happens()
    const objects = () => target.at('/ordered').map((it) => JSON.parse(it.body).data.id)
    await shop.arrived('/ordered', 2)
    assert.deepEqual(objects(), [ada, grace])
    await toNextTry(first)
    await shop.arrived('/ordered', 5)
    await until('all have arrived', async () => {
      return (await shop.deliveries(id, '?status=delivered')).length === 4
    })
    const ids = target.at('/ordered').map((it) => it.id)
    const those = ids.filter((_, index) => objects()[index] === ada).slice(1)
    assert.deepEqual(those, those.toSorted(), 'in the order they happened')
  },
)

alone('when order is no longer wanted, what waited in line goes', async () => {
  const { id } = await shop.endpoint('/line', { ordered: true })
  target.on('/line', answers(500))
  const ada = await shop.happens()
  await shop.delivery(id, tried(1))
  await shop.happens(ada)
  await until('one waits', async () => (await shop.deliveries(id)).length === 2)
  target.on('/line', answers(200))
  await admin.patch(`${ENDPOINTS}/${id}`, { ordered: false })
  await shop.arrived('/line', 2)
})

alone('what a process died over is sent by another, with the same id', async () => {
  const { id: endpointId } = await shop.endpoint('/crash')
  await admin.patch(`${ENDPOINTS}/${endpointId}`, { enabled: false })
  await shop.happens()
  const { id, messageId } = await shop.delivery(endpointId, ({ status }) => status === 'held')
  // As a process leaves it that took it, and was killed before it wrote what became of it.
  await deps.database.execute(
    `update webhooks.deliveries set status = 'pending', next_at = $2 where id = $1`,
    [id, deps.clock.now()],
  )
  const now = deps.clock.now()
  const claim = { tenantId, rooms: new Map([[endpointId, 1]]), now, until: later(now, 60_000) }
  const [taken] = await transact(db, (tx) => claimDue(tx, claim))
  assert.equal(taken?.messageId, messageId)
  await admin.patch(`${ENDPOINTS}/${endpointId}`, { enabled: true })
  await shop.endpoint('/alive')
  await shop.happens()
  await shop.arrived('/alive', 1)
  assert.ok(!target.at('/crash').some((it) => it.id === messageId), 'somebody is at it')
  await app.advance(61)
  await until('it arrives', () => target.at('/crash').some((it) => it.id === messageId))
})

alone('an address is checked at each try, not only when it is saved', async () => {
  const { id } = await shop.endpoint('/moved')
  await deps.database.execute('update webhooks.endpoints set url = $2 where id = $1', [
    ...[id, 'https://10.0.0.8/hook'],
  ])
  await shop.happens()
  const row = await shop.delivery(id, tried(1))
  assert.deepEqual([row.error, row.statusCode], ['refused_address', null])
  await admin.delete(`${ENDPOINTS}/${id}`)
})

alone('receivers that never answer hold up no other', async () => {
  const silent: ServerResponse[] = []
  const dead = Array.from({ length: 40 }, (_, index) => `/dead/${index}`)
  for (const path of dead) {
    target.on(path, answers(500))
    await shop.endpoint(path)
  }
  await shop.happens()
  for (const path of dead) await shop.arrived(path, 1)
  await until('they are known to fail', async () => {
    const { rows } = await deps.database.execute(
      `select count(*)::int as count from webhooks.endpoints
       where failing_since is not null and url like '%/dead/%'`,
    )
    return rows[0]?.count === dead.length
  })
  for (const path of dead) target.on(path, (response) => void silent.push(response))
  await shop.endpoint('/well')
  for (let count = 0; count < 8; count += 1) await shop.happens()
  await until('many are under way', () => silent.length >= 32)
  const began = performance.now()
  await shop.happens()
  await shop.arrived('/well', 9)
  assert.ok(performance.now() - began < 10_000, 'sooner than the first of them times out')
  assert.equal(silent.length, 32)
  for (const path of dead) target.on(path, answers(204))
  for (const response of silent) response.writeHead(204).end()
})

alone('messages older than the tenant keeps are forgotten with their log', async () => {
  const { id } = await shop.endpoint('/kept')
  await shop.happens()
  await shop.delivery(id, delivered)
  await app.advance(29 * DAY)
  await shop.happens()
  await until('the second has arrived', async () => (await shop.deliveries(id)).length === 2)
  await app.advance(2 * DAY)
  await app.eventually('the first is gone', async () => (await shop.deliveries(id)).length === 1)
})
