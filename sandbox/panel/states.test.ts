import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { assertError, testPanel } from './testing.ts'

/** A panel with one server on node 1, whose installation takes a minute. */
async function withServer(t: TestContext, changes: Record<string, unknown> = {}) {
  const panel = await testPanel(t)
  const server = await panel.newServer({ allocation: { default: 1 }, ...changes })
  assert.equal(server.status, 201)
  const post = async (action: string) => (await panel.app('POST', `/servers/1/${action}`)).status
  const status = async () => {
    const { fields } = await panel.app('GET', '/servers/1')
    return [fields.textOrNull('attributes.status'), fields.number('attributes.container.installed')]
  }
  const pass = (advanceSeconds: number) => panel.control('POST', '/clock', { advanceSeconds })
  return { panel, post, status, pass }
}

test('an installation ends after its time on the clock', async (t) => {
  const { status, pass } = await withServer(t)
  await pass(30)
  assert.deepEqual(await status(), ['installing', 0])
  await pass(31)
  assert.deepEqual(await status(), [null, 1])
})

test('installations fail or never end as planned, so many and then no more', async (t) => {
  const { panel, post, pass } = await withServer(t)
  await panel.control('POST', '/installs', { outcome: 'fail', seconds: 5, n: 1 })
  await panel.control('POST', '/installs', { outcome: 'never', n: 1 })
  for (let index = 0; index < 3; index += 1) await panel.newServer()
  await pass(10)
  const statuses = async () => {
    const { body } = await panel.app('GET', '/servers?sort=id')
    return JSON.stringify(body).match(/"status":[^,]+/g)
  }
  assert.deepEqual(await statuses(), [
    '"status":"installing"',
    '"status":"install_failed"',
    '"status":"installing"',
    '"status":"installing"',
  ])
  await pass(100_000)
  assert.deepEqual(await statuses(), [
    '"status":null',
    '"status":"install_failed"',
    '"status":"installing"',
    '"status":null',
  ])
  await panel.control('POST', '/installs', { outcome: 'fail', seconds: 5 })
  assert.equal(await post('reinstall'), 204)
  await pass(6)
  assert.equal((await statuses())?.[0], '"status":"reinstall_failed"')
})

test('a server whose scripts are skipped is installed at once', async (t) => {
  const { status } = await withServer(t, { skip_scripts: true })
  assert.deepEqual(await status(), [null, 1])
})

test('suspending overwrites an installation, and its result is lost', async (t) => {
  const { panel, post, status, pass } = await withServer(t)
  await panel.control('POST', '/installs', { outcome: 'fail', seconds: 5 })
  await post('reinstall')
  assert.equal(await post('suspend'), 204)
  assert.deepEqual(await status(), ['suspended', 1])
  await pass(10)
  assert.deepEqual(await status(), ['suspended', 1])
  assert.equal(await post('suspend'), 204)
  assert.equal(await post('unsuspend'), 204)
  assert.deepEqual(await status(), [null, 1])
})

test('a suspension that fails leaves the plain opposite behind', async (t) => {
  const { panel, status } = await withServer(t)
  await panel.control('POST', '/wings', { nodeId: 1, down: true })
  const failed = await panel.app('POST', '/servers/1/suspend')
  assertError(failed, 504, 'DaemonConnectionException', /^Could not establish a connection/)
  assert.deepEqual(await status(), [null, 1])
  const idempotent = await panel.app('POST', '/servers/1/unsuspend')
  assert.equal(idempotent.status, 204)
})

test('a machine that is down fails every change, and leaves it undone', async (t) => {
  const { panel, post, status, pass } = await withServer(t)
  await pass(61)
  await panel.control('POST', '/wings', { nodeId: 1, down: true })
  const create = await panel.newServer({ allocation: { default: 2 }, external_id: 'svc-2' })
  assertError(create, 504, 'DaemonConnectionException')
  assert.equal((await panel.app('GET', '/servers/external/svc-2')).status, 404)
  assert.equal(await post('reinstall'), 504)
  assert.equal((await panel.app('DELETE', '/servers/1')).status, 504)
  assert.deepEqual(await status(), [null, 1])
  assert.equal((await panel.app('DELETE', '/servers/1/force')).status, 204)
  await panel.control('POST', '/wings', { nodeId: 1, down: false })
  const taken = await panel.newServer({ allocation: { default: 1, additional: [2] } })
  assert.equal(taken.status, 201)
})

test('a deleted server is gone for good, and its allocations are free', async (t) => {
  const { panel } = await withServer(t)
  assert.equal((await panel.app('DELETE', '/servers/1')).status, 204)
  assertError(
    await panel.app('DELETE', '/servers/1'),
    404,
    'NotFoundHttpException',
    /^The requested/,
  )
  assert.equal((await panel.newServer({ allocation: { default: 1 } })).status, 201)
})

test('a running transfer forbids to suspend with 409', async (t) => {
  const { panel } = await withServer(t)
  await panel.control('POST', '/transfers', { serverId: 1, running: true })
  const refused = await panel.app('POST', '/servers/1/suspend')
  assertError(refused, 409, 'ConflictHttpException', /^Cannot toggle suspension status/)
})
