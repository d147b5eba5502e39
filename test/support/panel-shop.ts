import { after } from 'node:test'
import type { PanelOptions } from '#sandbox/panel/server.ts'
import { testApp } from './app.ts'
import { person } from './people.ts'
import { sandboxPanel } from './sandbox-panel.ts'

/** The service beside a sandbox panel that it may call, for all tests of a file. */
export async function panelShop(options: PanelOptions = {}) {
  const panel = await sandboxPanel({ after }, options)
  const app = await testApp(null, { config: { privateHosts: [`127.0.0.1:${panel.port}`] } })
  const admin = await person(app, { permissions: ['nodes:*'] })
  return {
    ...{ app, panel, admin },
    /** Adds a connection to the panel, with a key of its own, and gives its id and that key. */
    async addNode(changes: object = {}): Promise<{ id: string; apiKey: string }> {
      const { token: apiKey } = (await panel.post('keys', {})) as { token: string }
      const body = { name: 'Panel', url: panel.url, apiKey, type: 'pterodactyl', ...changes }
      const answer = await admin.post('/v1/admin/nodes', body)
      if (answer.status !== 201) throw new Error(answer.text)
      return { id: answer.body.id, apiKey }
    },
  }
}
