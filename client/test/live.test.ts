import assert from 'node:assert/strict'
import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { newId } from '../../src/lib/id.ts'
import { testApp } from '../../test/support/app.ts'
import { person } from '../../test/support/people.ts'
import { type LiveEvent, liveEvents, MoorageError, moorage } from '../src/index.ts'

const app = await testApp(null)

/** The first events of a stream that fulfil a condition, up to so many. */
async function take(events: AsyncIterable<LiveEvent>, count: number): Promise<LiveEvent[]> {
  const taken: LiveEvent[] = []
  for await (const event of events) if (taken.push(event) === count) break
  return taken
}

test('notifications of a person come as they happen', async () => {
  const [ada, admin] = [await person(app), await person(app, { admin: true })]
  const shop = moorage({ url: app.url, credential: ada.token })
  const events = liveEvents(shop)
  const first = await events.next()
  assert.deepEqual(first.value, { type: 'unread', count: 0 })
  const said = { texts: { en: { title: 'Maintenance', body: 'Tonight.' } } }
  const sent = await admin.post('/v1/admin/announcements', said)
  assert.equal(sent.status, 201, sent.text)
  for await (const event of events) {
    if (event.type !== 'notification') continue
    assert.equal(event.notification.title, 'Maintenance')
    break
  }
})

test('a credential that does not count ends it with an error', async () => {
  const shop = moorage({ url: app.url, credential: 'mrg_wrong' })
  await assert.rejects(take(liveEvents(shop), 1), (error) => {
    return error instanceof MoorageError && error.status === 401
  })
})

test('after a broken connection it comes back, and names what it had last', async () => {
  const [first, second] = [newId(), newId()]
  const asked: (string | null)[] = []
  const frame = (id: string) =>
    `id: ${id}\nevent: notification\ndata: ${JSON.stringify({ id, title: 'Zürich' })}\n\n`
  const server = http.createServer((request, response) => {
    asked.push(new URL(request.url ?? '', 'http://x').searchParams.get('lastEventId'))
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    if (asked.length > 1) return response.write(`:\n\n${frame(second)}`)
    // Cut in the middle of a letter, and of an event.
    const bytes = Buffer.from(`retry: 1\n\n${frame(first)}event: notification\ndata: {"id`)
    const middle = bytes.indexOf('ü') + 1
    response.write(bytes.subarray(0, middle), () => {
      response.write(bytes.subarray(middle), () => request.socket.end())
    })
    return undefined
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => server.close().closeAllConnections())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const connections: boolean[] = []
  const connected = (isConnected: boolean) => connections.push(isConnected)
  const events = await take(liveEvents(moorage({ url }), { connected }), 2)
  assert.deepEqual(
    events.map((it) => it.type === 'notification' && [it.notification.id, it.notification.title]),
    [first, second].map((id) => [id, 'Zürich']),
  )
  assert.deepEqual(asked, [null, first])
  assert.deepEqual(connections, [true, false, true, false])
})

test('it ends when its signal is aborted', async () => {
  const ada = await person(app)
  const stop = new AbortController()
  const shop = moorage({ url: app.url, credential: () => ada.token })
  for await (const event of liveEvents(shop, { signal: stop.signal })) {
    assert.equal(event.type, 'unread')
    stop.abort()
  }
})
