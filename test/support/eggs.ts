import { newId } from '#lib/id.ts'
import { json, transact } from '#platform/database/index.ts'
import type { TestApp } from './app.ts'

/** Writes a panel connection and an egg on it, for what only has to refer to them. */
export async function panelEgg(
  { tenantId, deps }: Pick<TestApp, 'tenantId' | 'deps'>,
  ...names: string[]
): Promise<{ nodeId: string; eggId: string }> {
  const [nodeId, eggId] = [newId(), newId()]
  const now = deps.clock.now()
  const none = json([])
  await transact(deps.database.of(tenantId), async (tx) => {
    await tx
      .insertInto('panel.nodes')
      .values({
        ...{ tenantId, id: nodeId, name: 'Panel', url: 'http://127.0.0.1:9' },
        ...{ type: 'pterodactyl', createdAt: now, maskedApiKey: '••••', version: 1 },
        ...{ status: 'ok', testedAt: now },
        sealedApiKey: deps.secrets.seal('ptla_test', nodeId),
      })
      .execute()
    await tx
      .insertInto('panel.eggs')
      .values({
        ...{ tenantId, id: eggId, source: 'panel', nodeId, remoteId: 1, name: 'Egg' },
        ...{ description: '', stop: 'stop', contentHash: eggId, createdAt: now, updatedAt: now },
        ...{ tags: none, features: none, doneMarkers: none },
        variables: json(names.map(variable)),
        dockerImages: json([{ label: 'Java', image: 'java' }]),
        startupCommands: json([{ label: 'Default', command: 'run' }]),
      })
      .execute()
  })
  return { nodeId, eggId }
}

/**
 * What servers of products are made of that tests sell without looking at a panel: an egg on a connection
 * that nothing may be called through.
 */
export async function provisioningIn(
  { deps, tenantId }: Pick<TestApp, 'deps' | 'tenantId'>,
  ...names: string[]
) {
  const { eggId } = await panelEgg({ deps, tenantId }, ...names)
  return { eggId, limits: { memoryMb: 1024, diskMb: 1024 } }
}

function variable(env: string, sort: number) {
  const shown = { name: env, description: '', viewable: true, editable: false }
  return { env, ...shown, default: '', rules: ['required', 'string'], sort }
}
