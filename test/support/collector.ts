import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { after } from 'node:test'
import type { TracingSettings } from '#platform/tracing/settings.ts'
import { KEEP_ALIVE_MS } from '#sandbox/keep-alive.ts'
import { until } from './app.ts'

type Value = { stringValue?: string; intValue?: string; boolValue?: boolean }
type Sent = {
  resourceSpans: {
    resource: { attributes: { key: string; value: Value }[] }
    scopeSpans: { spans: (Omit<Received, 'attributes'> & { attributes: Attribute[] })[] }[]
  }[]
}
type Attribute = { key: string; value: Value }

/** A span as it arrived, its attributes by their names. */
export type Received = {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: Record<string, string>
  status: { code?: number; message?: string }
}

/** A collector that takes traces as JSON over HTTP, and says no when it is told to. */
export async function collector() {
  const spans: Received[] = []
  const resources: Record<string, string>[] = []
  const headers: Record<string, unknown>[] = []
  let status = 200
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, async (request, response) => {
    const body = (await json(request)) as Sent
    response.writeHead(status, { 'content-type': 'application/json' }).end('{}')
    if (status !== 200) return
    headers.push(request.headers)
    for (const { resource, scopeSpans } of body.resourceSpans) {
      resources.push(byName(resource.attributes))
      for (const it of scopeSpans.flatMap((scope) => scope.spans)) {
        spans.push({ ...it, attributes: byName(it.attributes) })
      }
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  const settings: TracingSettings = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/traces`,
    ...{ headers: { 'x-key': 'k' }, timeoutMs: 5000, sendMs: 50, version: '0.0.0' },
    resource: { 'service.name': 'moorage' },
    sampler: { ratio: 1, followsParent: true },
  }
  return {
    ...{ spans, resources, headers, settings },
    answers(code: number) {
      status = code
    },
    /** Waits for a span, and gives the first that fits. */
    heard: (what: string, fits: (span: Received) => boolean) => until(what, () => spans.find(fits)),
    /** A span and what it is part of, up to where the trace began. */
    pathOf(span: Received): Received[] {
      const parent = spans.find(({ spanId }) => spanId === span.parentSpanId)
      return parent ? [span, ...this.pathOf(parent)] : [span]
    },
  }
}

function byName(attributes: readonly Attribute[]): Record<string, string> {
  return Object.fromEntries(
    attributes.map(({ key, value }) => [key, String(Object.values(value)[0])]),
  )
}
