import { newId } from '#lib/id.ts'
import { json, transact } from '#platform/database/index.ts'
import type { TestApp } from './app.ts'

/** Writes a panel connection and an egg on it, for what only has to refer to them. */
export async function panelEgg(
  app: TestApp,
  ...names: string[]
): Promise<{ nodeId: string; eggId: string }> {
  const { tenantId, deps } = app
  const [nodeId, eggId] = [newId(), newId()]
  const now = deps.clock.now()
  const none = json([])
  await transact(deps.database.of(tenantId), async (tx) => {
    await tx
      .insertInto('panel.nodes')
      .values({
        ...{ tenantId, id: nodeId, name: 'Panel', url: 'https://panel.example.org' },
        ...{ type: 'pterodactyl', createdAt: now, maskedApiKey: '••••', version: 1 },
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

function variable(env: string, sort: number) {
  const shown = { name: env, description: '', viewable: true, editable: false }
  return { env, ...shown, default: '', rules: ['required', 'string'], sort }
}
