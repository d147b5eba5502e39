import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { rows, testPanel } from './testing.ts'

test('a panel with a snapshot file goes on where it stopped, with the keys of its new start', async (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'panel-'))
  const snapshotFile = path.join(folder, 'panel.state')
  const first = await testPanel(t, { snapshotFile })
  await first.newServer()
  await first.control('POST', '/clock', { advanceSeconds: 60 })
  await first.close()

  const second = await testPanel(t, { snapshotFile })
  const { fields } = await second.control('GET', '/servers')
  assert.equal(fields.number('servers.0.id'), 1)
  assert.equal(fields.flag('servers.0.installed', false), true)
  const [server] = rows((await second.app('GET', '/servers')).body)
  assert.partialDeepStrictEqual(server, {
    container: { environment: { SERVER_JARFILE: 'server.jar' } },
  })
  const next = await second.newServer()
  assert.equal(next.fields.number('attributes.id'), 2)
  const old = second.as(first.applicationKey)
  assert.equal((await old('GET', '/api/application/users')).status, 401)
  await second.close()
  rmSync(folder, { recursive: true })
})

test('faults that are called off harm nobody', async (t) => {
  const panel = await testPanel(t)
  await panel.control('POST', '/faults', { route: 'POST /api/application/servers', kind: '429' })
  await panel.control('DELETE', '/faults')
  assert.equal((await panel.newServer()).status, 201)
})
