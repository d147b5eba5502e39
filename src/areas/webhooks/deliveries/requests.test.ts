import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { until } from '#test/app.ts'
import { ENDPOINTS, hookShop } from '#test/webhooks.ts'

type Line = Record<string, unknown>
const lines: Line[] = []
const log = pino(
  { level: 'debug', base: null },
  { write: (line: string) => lines.push(JSON.parse(line)) },
)
const { app, admin, endpoint, deliveries, target } = await hookShop({}, log)

async function register(requestId: string): Promise<string> {
  const email = `${requestId}@example.org`
  const wanted = { email, password: 'a long enough password', name: 'Ada Lovelace', country: 'FR' }
  const headers = { 'x-request-id': requestId }
  const { status, text } = await app.post('/v1/auth/register', wanted, { headers })
  assert.equal(status, 201, text)
  return requestId
}

test('each delivery is logged with the request that caused it, though one job sends them all', async () => {
  // The first one keeps the job of this process until all are sent.
  const held = Promise.withResolvers<void>()
  target.on('/each', async (response) => {
    if (target.at('/each').length === 1) await held.promise
    response.writeHead(204).end()
  })
  const { id } = await endpoint('/each')
  const ids = [await register('first')]
  await until('the first one is under way', () => target.at('/each').length === 1)
  ids.push(await register('second'), await register('third'))
  await until('the others have arrived', () => target.at('/each').length === 3)
  held.resolve()
  const sent = await until('all are logged', () => {
    const sent = lines.filter(({ msg, endpointId }) => msg === 'webhook sent' && endpointId === id)
    return sent.length === 3 && sent
  })
  for (const requestId of ids) {
    const line = sent.find((it) => it.requestId === requestId)
    const got = target.at('/each').find((it) => it.headers['webhook-id'] === line?.messageId)
    const registered = lines.find(
      (it) => it.event === 'users.registered' && it.requestId === requestId,
    )
    assert.equal(JSON.parse(got?.body ?? '{}').data?.id, registered?.userId, requestId)
  }
})

/** How many mails go back to a request. */
async function mailsOf(requestId: string): Promise<number> {
  const { rows } = await app.deps.database.execute(
    `select count(*)::int as count from jobs.job
     where name = 'notifications.send-mail' and data->>'requestId' = $1`,
    [requestId],
  )
  return Number(rows[0]?.count)
}

test('what a delivery causes goes back to the request of its message, whoever sends it', async () => {
  // The receiver is gone for good, which staff are told.
  target.on('/gone', (response) => void response.writeHead(410).end())
  const { id } = await endpoint('/gone')
  await admin.patch(`${ENDPOINTS}/${id}`, { enabled: false })
  await register('before')
  await register('last')
  await until('both are held', async () => (await deliveries(id, '?status=held')).length === 2)
  await admin.patch(`${ENDPOINTS}/${id}`, { enabled: true })
  const headers = { 'x-request-id': 'replay' }
  const [{ id: newest }] = await deliveries(id)
  const replay = `${ENDPOINTS}/deliveries/${newest}/replay`
  assert.equal((await admin.post(replay, undefined, { headers })).status, 200)
  await until('the endpoint is off', async () => {
    const { body } = await admin.get(`${ENDPOINTS}/${id}`)
    return body.disabledReason === 'gone'
  })
  const [own, withNotice] = await Promise.all([mailsOf('before'), mailsOf('last')])
  assert.equal(withNotice, own + 1)
})
