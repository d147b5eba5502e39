import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Instant, later } from '#lib/time.ts'
import { readTarget } from './endpoints.ts'
import { countLoad } from './load.ts'
import { onwardHeaders } from './relay.ts'
import { activityIn, installIn, isCrash, isRepeated, stateIn } from './rules.ts'

const UUID = '1a7ce997-259b-452e-8b4e-cecc464142ca'
const NOW = '2026-11-21T18:00:00.000Z' as Instant

for (const [method, path, expected] of [
  ['GET', '/servers?page=0&per_page=50', ['servers', null]],
  ['POST', '/servers/reset', ['reset', null]],
  ['GET', `/servers/${UUID}`, ['server', UUID]],
  ['POST', `//servers//${UUID}/install/`, ['install', UUID]],
  ['GET', `/servers/${UUID}/install`, ['install_script', UUID]],
  ['GET', `/backups/${UUID}?size=1`, ['backup_parts', UUID]],
  ['PUT', `/servers/${UUID}`, [null, null]],
  ['POST', '/servers/none/install', [null, null]],
  ['POST', '/what/comes/later', [null, null]],
] as const) {
  test(`${method} ${path} is ${expected[0]}`, () => {
    const said = readTarget(method, `/v1/panel/api/remote${path}`)
    assert.deepEqual([said?.saying, said?.uuid], expected)
  })
}

for (const url of ['/v1/panel/api', '/v1/panel/x/servers', '/v1/panel/api/remote/../x']) {
  test(`${url} is nothing that a daemon says`, () => {
    assert.equal(readTarget('GET', url), null)
  })
}

test('reports are read as old and new daemons write them', () => {
  assert.deepEqual(installIn({ successful: true }), { successful: true, reinstall: false })
  assert.deepEqual(installIn({ successful: false, reinstall: true, more: 1 }), {
    ...{ successful: false, reinstall: true },
  })
  for (const body of [null, [], 'x', {}, { successful: 'yes' }]) assert.equal(installIn(body), null)
  assert.deepEqual(stateIn({ data: { previous_state: 'new word', new_state: 'running' } }), {
    ...{ previous: null, next: 'running' },
  })
  assert.equal(stateIn({ data: { new_state: 'gone' } }), null)
  assert.equal(isCrash({ previous: 'running', next: 'offline' }), true)
  assert.equal(isCrash({ previous: 'stopping', next: 'offline' }), false)
})

test('a report is the same again until another installation begins, or two minutes have gone', () => {
  const report = { successful: true, reinstall: false }
  const known = { installEndedAt: NOW, installSuccessful: true, reinstall: false }
  const at = (seconds: number) => later(NOW, seconds * 1000)
  assert.equal(isRepeated({ ...known, installStartedAt: null }, report, at(119)), true)
  assert.equal(isRepeated({ ...known, installStartedAt: null }, report, at(120)), false)
  assert.equal(isRepeated({ ...known, installStartedAt: at(-60) }, report, at(9000)), true)
  assert.equal(isRepeated({ ...known, installStartedAt: at(1) }, report, at(2)), false)
  const failed = { successful: false, reinstall: false }
  assert.equal(isRepeated({ ...known, installStartedAt: null }, failed, at(1)), false)
})

const ENTRY = {
  server: UUID,
  event: 'server:power.start',
  timestamp: '2026-11-21T18:05:02.123456789Z',
}

test('entries of activity are read one by one, nanoseconds and all', () => {
  const [first] = activityIn({ data: [{ ...ENTRY, ip: '::1', metadata: null }] }) ?? []
  assert.deepEqual(
    [first?.happenedAt, first?.happened, first?.ip, first?.metadata],
    ['2026-11-21T18:05:02.123Z', ENTRY.timestamp, '::1', {}],
  )
  const large = { ...ENTRY, metadata: { command: 'x'.repeat(5000) } }
  assert.deepEqual(activityIn({ data: [large] })?.[0]?.metadata, { truncated: true })
  for (const bad of [
    ...[null, 7, {}, { ...ENTRY, server: '1' }, { ...ENTRY, event: 'auth:login' }],
    ...[
      { ...ENTRY, timestamp: 'now' },
      { ...ENTRY, metadata: { a: 'nul \0' } },
    ],
  ]) {
    assert.deepEqual(activityIn({ data: [bad, ENTRY] })?.length, 1, JSON.stringify(bad))
  }
  assert.deepEqual([activityIn({}), activityIn({ data: 'all' })], [[], null])
})

test('what is under way is counted for each daemon and in all, and let out once', () => {
  const load = countLoad({ perDaemon: 2, inAll: 3 })
  const [leave] = [load.enter('a'), load.enter('a')]
  assert.throws(() => load.enter('a'), { statusCode: 503 })
  load.enter('b')
  assert.throws(() => load.enter('c'), { statusCode: 503 })
  leave?.()
  leave?.()
  load.enter('c')
  assert.throws(() => load.enter('b'), { statusCode: 503 })
})

test('headers of this connection and of our proxies stay here', () => {
  const headers = {
    ...{
      authorization: 'Bearer x',
      host: 'shop.test',
      connection: 'close',
      'accept-encoding': 'gzip',
    },
    ...{ 'x-forwarded-for': '192.0.2.1', 'content-length': '4', 'cf-access-client-id': 'y' },
  }
  const kept = { authorization: 'Bearer x', 'cf-access-client-id': 'y' }
  assert.deepEqual(onwardHeaders(headers, false), kept)
  assert.deepEqual(onwardHeaders(headers, true), { ...kept, 'content-length': '4' })
})
