import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { newId } from '#lib/id.ts'
import { Problem } from '#lib/problem.ts'
import { panelShop } from '#test/panel-shop.ts'
import { otherTenant } from '#test/people.ts'
import { assertProvisioning } from './product.ts'

const { app, admin, addNode } = await panelShop()
const { tenantId } = app

const node = await addNode()
const second = await addNode()
const bare = await addNode()
const deleted = await addNode()
for (const { id } of [node, second, deleted]) await admin.post(`/v1/admin/nodes/${id}/sync-eggs`)
const eggs = (await admin.get(`/v1/admin/eggs?nodeId=${node.id}&limit=100`)).body.data
const [gone] = (await admin.get(`/v1/admin/eggs?nodeId=${deleted.id}`)).body.data
await admin.delete(`/v1/admin/nodes/${deleted.id}`)

function eggId(name: string): string {
  return eggs.find((egg: { name: string; id: string }) => egg.name === name)?.id
}

type Wanted = { eggId: string; nodeIds?: string[]; environment?: Record<string, string> }

/** What is wrong with a product, by path. */
async function faultsOf({ nodeIds = [], environment = {}, ...wanted }: Wanted, of = tenantId) {
  try {
    await assertProvisioning(app.deps.database.of(of), of, { nodeIds, environment, ...wanted })
    return []
  } catch (error) {
    assert.ok(error instanceof Problem)
    assert.deepEqual([error.statusCode, error.code], [422, 'provisioning_invalid'])
    return error.details?.map(({ path }) => path.replace('provisioning.', ''))
  }
}

test('an egg of a panel can be sold on its own connection, and on others that have it', async () => {
  assert.deepEqual(await faultsOf({ eggId: eggId('Paper') }), [])
  assert.deepEqual(await faultsOf({ eggId: eggId('Paper'), nodeIds: [second.id, node.id] }), [])
})

test('an egg that is unknown, archived or of another tenant is named', async () => {
  assert.deepEqual(await faultsOf({ eggId: newId() }), ['eggId'])
  assert.deepEqual(await faultsOf({ eggId: gone.id }), ['eggId'])
  const other = await otherTenant(app, 'product.test')
  assert.deepEqual(await faultsOf({ eggId: eggId('Paper') }, other), ['eggId'])
})

test('connections that are unknown, deleted or without the egg are named', async () => {
  const nodeIds = [node.id, newId(), deleted.id, bare.id]
  const paths = await faultsOf({ eggId: eggId('Paper'), nodeIds })
  assert.deepEqual(paths, ['nodeIds.1', 'nodeIds.2', 'nodeIds.3'])
})

test('an egg of a file can be sold where a panel has the egg of its name', async () => {
  const folder = path.join(import.meta.dirname, '../../../../sandbox/panel/data/eggs')
  const file = fs.readFileSync(path.join(folder, 'minecraft-paper.ptdl-v2.json'), 'utf8')
  const known = (await admin.post('/v1/admin/eggs/import', { file })).body
  assert.deepEqual(await faultsOf({ eggId: known.id }), [])
  assert.deepEqual(await faultsOf({ eggId: known.id, nodeIds: [bare.id] }), ['nodeIds.0'])
  const renamed = JSON.stringify({ ...JSON.parse(file), name: 'Nowhere' })
  const unknown = (await admin.post('/v1/admin/eggs/import', { file: renamed })).body
  assert.deepEqual(await faultsOf({ eggId: unknown.id }), ['eggId'])
})

test('values of no variable, and values their rules refuse, are named', async () => {
  const environment = { BUILD_NUMBER: 'x'.repeat(100), NOTHING: '1', constructor: '1' }
  assert.deepEqual(await faultsOf({ eggId: eggId('Paper'), environment }), [
    ...['environment.NOTHING', 'environment.constructor', 'environment.BUILD_NUMBER'],
  ])
})

test('required variables without value block every order of an egg: a product wants them, unless customers may set them', async () => {
  const id = eggId('Paper')
  const variables = (editable: boolean) => [
    {
      ...{ env: 'TOKEN', name: 'Token', description: '', default: '', rules: ['required'] },
      ...{ viewable: true, editable, sort: 0 },
    },
  ]
  async function declare(editable: boolean) {
    await app.deps.database.pool.query('update panel.eggs set variables = $1 where id = $2', [
      JSON.stringify(variables(editable)),
      id,
    ])
  }
  await declare(false)
  assert.deepEqual(await faultsOf({ eggId: id }), ['environment.TOKEN'])
  assert.deepEqual(await faultsOf({ eggId: id, environment: { TOKEN: ' ' } }), [
    'environment.TOKEN',
  ])
  assert.deepEqual(await faultsOf({ eggId: id, environment: { TOKEN: 't' } }), [])
  await declare(true)
  assert.deepEqual(await faultsOf({ eggId: id }), [])
})
