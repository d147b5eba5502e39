import assert from 'node:assert/strict'
import { test } from 'node:test'
import { instant } from '#lib/time.ts'
import type { PanelServer, Provisioning } from '#panel'
import type { ComparedService } from './queries.ts'
import { differencesOf, shouldBeThere } from './rules.ts'

const now = instant('2030-01-08T00:00:00Z')
const later = instant('2030-01-09T00:00:00Z')
const NODE = 'the node'

const limits = { memoryMb: 1024, diskMb: 2048, cpuPercent: 100, swapMb: 0, io: 500 }
const featureLimits = { databases: 1, backups: 2, allocations: 1 }
const provisioning: Provisioning = {
  ...{ eggId: 'egg', nodeIds: [], locationIds: [], limits, featureLimits, environment: {} },
}

const server: PanelServer = {
  ...{ id: 7, uuid: 'uuid', identifier: 'id', externalId: 'svc-1', name: 'Server' },
  ...{ description: '', status: 'installed', userId: 3, nodeId: 1, eggId: 1, allocationId: 1 },
  ...{ allocations: [], limits: { ...limits, threads: null }, featureLimits, oomKiller: false },
  ...{ startup: '', image: '', environment: {} },
}

const service: ComparedService = {
  ...{ id: 'service', externalId: 'svc-1', nodeId: NODE, serverId: 7, serverUuid: 'uuid' },
  ...{ activatedAt: now, suspendedAt: null, suspendReasons: [], endWantedAt: null },
  ...{ endKeepsData: false, endedAt: null, deleteServerAt: null, serverDeletedAt: null },
  ...{ provisioning, ownerId: 3, isChanging: false },
}

const smaller = { ...server, limits: { ...server.limits, memoryMb: 512 } }
const cases: [string, PanelServer, ComparedService | undefined, string[]][] = [
  ['both agree', server, service, []],
  ['nobody has a server of ours', server, undefined, ['orphan']],
  ['a server is not ours', { ...server, externalId: '12' }, undefined, ['unknown']],
  [
    'another system made a server for an imported service',
    { ...server, externalId: '77' },
    undefined,
    ['imported'],
  ],
  ['a server has no external id', { ...server, externalId: null }, undefined, ['unknown']],
  ['the external id is another shop’s', { ...server, externalId: 'svc-2' }, undefined, ['unknown']],
  ['the service has ended', server, { ...service, endedAt: now }, ['orphan']],
  [
    'the data of an ended service is kept',
    server,
    { ...service, endedAt: now, deleteServerAt: later },
    [],
  ],
  ['the service is being set up', smaller, { ...service, activatedAt: null }, []],
  ['the service is being ended', smaller, { ...service, endWantedAt: now }, []],
  ['a suspension is under way', smaller, { ...service, suspendReasons: ['unpaid'] }, []],
  ['the service is on no connection', server, { ...service, nodeId: null }, ['unattached']],
  ['two connections lead to one panel', server, { ...service, nodeId: 'other' }, []],
  [
    'the service has another server elsewhere',
    server,
    { ...service, nodeId: 'other', serverUuid: 'another' },
    ['orphan'],
  ],
  ['the limits differ', smaller, service, ['limits']],
  ['a paid change is under way', smaller, { ...service, isChanging: true }, []],
  ['cores are pinned', { ...server, limits: { ...server.limits, threads: '0' } }, service, []],
  ['the panel suspended it', { ...server, status: 'suspended' }, service, ['suspension']],
  [
    'the panel did not suspend it',
    server,
    { ...service, suspendedAt: now, suspendReasons: ['unpaid'] },
    ['suspension'],
  ],
  ['another account owns it', { ...server, userId: 4 }, service, ['owner']],
  ['no account is known', { ...server, userId: 4 }, { ...service, ownerId: null }, []],
]

for (const [what, there, here, kinds] of cases) {
  test(`where ${what}, the findings are ${kinds.join(', ') || 'none'}`, () => {
    const panel = { nodeId: NODE, foreign: new Set(['svc-2']), former: new Map([['77', 'id']]) }
    const found = differencesOf(there, here, panel, now)
    assert.deepEqual(
      found.map(({ kind }) => kind),
      kinds,
    )
  })
}

test('only a service that is in use and on no way elsewhere misses its server', () => {
  assert.equal(shouldBeThere(service, now), true)
  assert.equal(shouldBeThere({ ...service, activatedAt: null }, now), false)
  assert.equal(shouldBeThere({ ...service, endWantedAt: now }, now), false)
  assert.equal(shouldBeThere({ ...service, suspendReasons: ['admin'] }, now), false)
})
