import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fullPermissions } from '#sandbox/panel/state/keys.ts'
import { sandboxPanel } from '#test/sandbox-panel.ts'
import { panelClientFor } from './registry.ts'

for (const type of ['pterodactyl', 'pelican'] as const) {
  test(`${type}: databases and backups are counted, and who may not see databases is told of none`, async (t) => {
    const panel = await sandboxPanel(t, { flavour: type, installSeconds: 0 })
    const { url, outbound, applicationKey, clientKey: clientApiKey } = panel
    const keys = { url, outbound, type, clientApiKey }
    const client = panelClientFor({ ...keys, apiKey: applicationKey })
    const [egg] = (await client.listEggs()).filter(({ name }) => name === 'Paper')
    const server = await client.createServer({
      ...{ externalId: 'svc-1', name: 'World', description: '', userId: 1 },
      ...{ eggId: egg?.remoteId ?? 0, image: 'java', startup: 'run' },
      environment: Object.fromEntries((egg?.variables ?? []).map((it) => [it.env, it.default])),
      limits: { memoryMb: 1024, swapMb: 0, diskMb: 1024, cpuPercent: 100, io: 500, threads: null },
      featureLimits: { databases: 2, backups: 1, allocations: 1 },
      placement: { locationIds: [], dedicatedIp: false, portRange: [] },
      ...{ oomKiller: false, skipScripts: true, startOnCompletion: false },
    })
    await panel.post('clock', { advanceSeconds: 1 })
    const make = async (what: string, body: object): Promise<number> => {
      const response = await fetch(`${url}/api/client/servers/${server.uuid}/${what}`, {
        ...{ method: 'POST', body: JSON.stringify(body) },
        headers: {
          ...{ authorization: `Bearer ${clientApiKey}`, accept: 'application/json' },
          'content-type': 'application/json',
        },
      })
      return response.status
    }
    assert.deepEqual(
      [await client.countDatabases(server.id), await client.countBackups(server.uuid)],
      [0, 0],
    )
    for (const database of ['world', 'shop']) {
      assert.equal(await make('databases', { database, remote: '%' }), 200)
    }
    assert.equal(await make('backups', {}), 200)
    assert.deepEqual(
      [
        await make('databases', { database: 'more', remote: '%' }),
        await make('backups', {}),
        await client.countDatabases(server.id),
        await client.countBackups(server.uuid),
      ],
      [400, 400, 2, 1],
    )
    const { server_databases: _, ...permissions } = fullPermissions()
    const { token: apiKey } = (await panel.post('keys', { permissions })) as { token: string }
    const unseeing = panelClientFor({ ...keys, apiKey })
    assert.equal(await unseeing.countDatabases(server.id), null)
  })
}
