import type { TracingSettings } from '#platform/tracing/settings.ts'

type Read = {
  text(name: string): string | undefined
  url(name: string, schemes: readonly string[]): string | null
  number(name: string, fallback: number, min: number, max: number): number
  oneOf<const W extends readonly string[]>(name: string, words: W, fallback: W[number]): W[number]
  pairs(name: string): Record<string, string>
  share(name: string): number
}

const HTTP = ['http:', 'https:']
const SAMPLERS = [
  ...(['always_on', 'always_off', 'traceidratio'] as const),
  ...(['parentbased_always_on', 'parentbased_always_off', 'parentbased_traceidratio'] as const),
] as const
const TIMEOUT_MS = 10_000
const SEND_MS = 5000

/** The tracing that the variables of OpenTelemetry configure; null without an address to send to. */
export function readTracing(read: Read, version: string): TracingSettings | null {
  const base = read.url('OTEL_EXPORTER_OTLP_ENDPOINT', HTTP)
  const own = read.url('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', HTTP)
  const url = own ?? (base && `${base.replace(/\/+$/, '')}/v1/traces`)
  const isOff = read.oneOf('OTEL_SDK_DISABLED', ['true', 'false'] as const, 'false') === 'true'
  const isNone = read.oneOf('OTEL_TRACES_EXPORTER', ['otlp', 'none'] as const, 'otlp') === 'none'
  if (!url || isOff || isNone) return null
  // A collector accepts both HTTP formats at one address; gRPC has another port.
  read.oneOf('OTEL_EXPORTER_OTLP_PROTOCOL', ['http/json', 'http/protobuf'] as const, 'http/json')
  const sampler = read.oneOf('OTEL_TRACES_SAMPLER', SAMPLERS, 'parentbased_always_on')
  const resource = {
    'service.version': version,
    ...read.pairs('OTEL_RESOURCE_ATTRIBUTES'),
    'service.name':
      read.text('OTEL_SERVICE_NAME') ??
      read.pairs('OTEL_RESOURCE_ATTRIBUTES')['service.name'] ??
      'moorage',
  }
  return {
    ...{ url, version, resource },
    headers: {
      ...read.pairs('OTEL_EXPORTER_OTLP_HEADERS'),
      ...read.pairs('OTEL_EXPORTER_OTLP_TRACES_HEADERS'),
    },
    timeoutMs: read.number('OTEL_EXPORTER_OTLP_TIMEOUT', TIMEOUT_MS, 1, 600_000),
    sendMs: read.number('OTEL_BSP_SCHEDULE_DELAY', SEND_MS, 10, 600_000),
    sampler: {
      ratio: shareOf(sampler, read),
      followsParent: sampler.startsWith('parentbased'),
    },
  }
}

function shareOf(sampler: (typeof SAMPLERS)[number], read: Read): number {
  if (sampler.endsWith('always_on')) return 1
  return sampler.endsWith('always_off') ? 0 : read.share('OTEL_TRACES_SAMPLER_ARG')
}
