import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Deps } from '../deps.ts'
import { healthOf } from '../health.ts'
import { mayReadMetrics } from '../metrics.ts'

/** The server on which a process without an API reports its health. */
export type Probe = { readonly url: string; close(): Promise<void> }

/** Serves `/v1/health`, `/v1/health/live` and `/v1/metrics` like a process with the API does, and nothing else. */
export async function openProbe(deps: Deps, port: number): Promise<Probe> {
  const { host, metricsToken } = deps.config
  const answers: Record<string, (response: ServerResponse, given?: string) => Promise<void>> = {
    async '/v1/health'(response) {
      const health = await healthOf(deps)
      answer(response, health.status === 'down' ? 503 : 200, health)
    },
    async '/v1/health/live'(response) {
      answer(response, 200, { status: 'up' })
    },
    async '/v1/metrics'(response, given) {
      if (!metricsToken) return answer(response, 403, { error: 'No metrics token is configured.' })
      if (!mayReadMetrics(metricsToken, given))
        return answer(response, 401, { error: 'Unauthorized' })
      const { registry } = deps.metrics
      response.setHeader('content-type', registry.contentType)
      response.end(await registry.metrics())
    },
  }
  const server = createServer(({ url = '', method, headers }, response) => {
    const found = method === 'GET' || method === 'HEAD' ? answers[url] : undefined
    if (!found) return answer(response, 404, { error: 'Not found' })
    found(response, headers.authorization).catch((error) => {
      deps.log.error({ err: error }, 'the probe could not answer')
      response.destroy()
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve)
  })
  const { port: taken } = server.address() as AddressInfo
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${taken}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' })
  response.end(JSON.stringify(body))
}
