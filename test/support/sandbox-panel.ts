import { createOutbound, type Outbound } from '#platform/outbound.ts'
import { type PanelOptions, startPanel } from '#sandbox/panel/server.ts'

/** A test, or the end of a whole file. */
type Ending = { after(end: () => Promise<void>): void }

type Journal = { entries: { method: string; path: string; status: number | null }[] }

/**
 * A sandbox panel for one test or file, an outbound client that may call it, and its controls: `fault`
 * makes the next call of a route go wrong, `post` reaches every other control.
 */
export async function sandboxPanel(t: Ending, options: PanelOptions = {}) {
  const panel = await startPanel(options)
  const outbound = createOutbound({ privateHosts: [`127.0.0.1:${panel.port}`] })
  t.after(async () => {
    outbound.close()
    await panel.close()
  })

  async function control(path: string, body?: object): Promise<unknown> {
    const response = await fetch(`${panel.url}/_sandbox/${path}`, {
      method: body ? 'POST' : 'GET',
      headers: {
        authorization: `Bearer ${panel.controlToken}`,
        'content-type': 'application/json',
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`Sandbox control ${path}: ${await response.text()}`)
    return response.json()
  }

  return {
    ...panel,
    outbound,
    fault: (route: string, kind: string, more: object = {}) =>
      control('faults', { route, kind, ...more }),
    post: (path: string, body: object) => control(path, body),
    /** How often a route was called. */
    async calls(method: string, path: RegExp): Promise<number> {
      const { entries } = (await control('journal')) as Journal
      return entries.filter((it) => it.method === method && path.test(it.path)).length
    },
    /** How many requests were answered with a status. */
    async answered(status: number): Promise<number> {
      const { entries } = (await control('journal')) as Journal
      return entries.filter((it) => it.status === status).length
    },
  }
}

/** The same client with less patience than its callers ask for. */
export function impatient(outbound: Outbound, timeoutMs: number): Outbound {
  return { ...outbound, request: (request) => outbound.request({ ...request, timeoutMs }) }
}
