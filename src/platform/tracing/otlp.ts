import { randomBytes } from 'node:crypto'
import type { Attributes, Span, SpanFacts, Tracing } from './index.ts'
import type { TracingSettings } from './settings.ts'

const MAX_WAITING = 4096
const BATCH = 512
const MAX_TEXT = 2048

/** Numbers of the protocol. */
const KINDS = { internal: 1, server: 2, client: 3, consumer: 5 } as const
const FAILED = 2
const RETRIED = new Set([429, 502, 503, 504])

type Value =
  | { stringValue: string }
  | { intValue: string }
  | { doubleValue: number }
  | { boolValue: boolean }
type Ended = {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: { key: string; value: Value }[]
  status: { code?: number; message?: string }
}

/**
 * Sends spans to a collector, as JSON over HTTP (OTLP 1). Spans that cannot be sent are kept for a while, then dropped:
 * no work waits for it. `told` is called when sending begins to fail, and when it works again.
 */
export function startTracing(settings: TracingSettings, told: (error: unknown) => void): Tracing {
  const waiting: Ended[] = []
  let sending: Promise<void> = Promise.resolve()
  let failing = false

  function keep(span: Ended): void {
    if (waiting.length < MAX_WAITING) waiting.push(span)
    if (waiting.length === BATCH) void send()
  }

  async function sendBatch(): Promise<void> {
    const spans = waiting.splice(0, BATCH)
    if (spans.length === 0) return
    try {
      const { status } = await fetch(settings.url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...settings.headers },
        body: JSON.stringify(requestOf(settings, spans)),
        signal: AbortSignal.timeout(settings.timeoutMs),
      })
      if (RETRIED.has(status)) throw new Error(`The collector answered ${status}`)
      if (failing) told(null)
      failing = false
    } catch (error) {
      waiting.unshift(...spans.slice(0, MAX_WAITING - waiting.length))
      if (!failing) told(error)
      failing = true
    }
  }

  function send(): Promise<void> {
    sending = sending.then(sendBatch)
    return sending
  }

  const timer = setInterval(() => void send(), settings.sendMs).unref()
  return {
    begin(name, facts, traceparent) {
      const parent = parentOf(traceparent)
      const traceId = parent?.traceId ?? hex(16)
      const sampled = isSampled(settings.sampler, traceId, parent?.sampled ?? null)
      return new Recorded({ name, facts, traceId, parentId: parent?.spanId, sampled, keep })
    },
    async stop() {
      clearInterval(timer)
      do await send()
      while (waiting.length > 0 && !failing)
    },
  }
}

type Begun = {
  name: string
  facts: SpanFacts
  traceId: string
  parentId: string | undefined
  sampled: boolean
  keep: (span: Ended) => void
}

class Recorded implements Span {
  readonly #begun: Begun
  readonly #spanId = hex(8)
  readonly #start = nanos()
  readonly #attributes: Record<string, string | number | boolean>
  #failure: string | null = null
  #ended = false

  constructor(begun: Begun) {
    this.#begun = begun
    this.#attributes = { ...begun.facts.attributes }
  }

  get traceId(): string {
    return this.#begun.traceId
  }

  get traceparent(): string {
    return `00-${this.traceId}-${this.#spanId}-${this.#begun.sampled ? '01' : '00'}`
  }

  child(name: string, facts: SpanFacts): Span {
    const { traceId, sampled, keep } = this.#begun
    return new Recorded({ name, facts, traceId, parentId: this.#spanId, sampled, keep })
  }

  set(attributes: Attributes): void {
    Object.assign(this.#attributes, attributes)
  }

  fail(error: unknown): void {
    // The message may contain user input, so only its kind is recorded.
    const { name, code } = error as { name?: unknown; code?: unknown }
    this.#failure = [name, code].filter((it) => typeof it === 'string').join(' ') || 'Error'
    this.set({ 'error.type': this.#failure })
  }

  end(): void {
    const { name, facts, parentId, sampled, keep, traceId } = this.#begun
    if (this.#ended || !sampled) return
    this.#ended = true
    keep({
      ...{ traceId, spanId: this.#spanId, ...(parentId && { parentSpanId: parentId }) },
      ...{ name, kind: KINDS[facts.kind] },
      ...{ startTimeUnixNano: this.#start, endTimeUnixNano: nanos() },
      attributes: attributesOf(this.#attributes),
      status: this.#failure === null ? {} : { code: FAILED, message: this.#failure },
    })
  }
}

function requestOf({ resource, version }: TracingSettings, spans: readonly Ended[]) {
  const scopeSpans = [{ scope: { name: 'moorage', version }, spans }]
  return { resourceSpans: [{ resource: { attributes: attributesOf(resource) }, scopeSpans }] }
}

function attributesOf(attributes: Attributes): { key: string; value: Value }[] {
  return Object.entries(attributes).map(([key, value]) => ({ key, value: typedValue(value) }))
}

function typedValue(value: string | number | boolean): Value {
  if (typeof value === 'boolean') return { boolValue: value }
  if (typeof value === 'string') return { stringValue: value.slice(0, MAX_TEXT) }
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value }
}

/** The trace in a `traceparent` (W3C Trace Context, version 00 and later ones that begin like it). */
function parentOf(text: string | null) {
  const [, traceId, spanId, flags] =
    /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(?:-|$)/.exec(
      text ?? '',
    ) ?? []
  if (!traceId || !spanId || !flags) return null
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 }
}

function isSampled(
  { ratio, followsParent }: TracingSettings['sampler'],
  traceId: string,
  parentSampled: boolean | null,
): boolean {
  if (followsParent && parentSampled !== null) return parentSampled
  // All processes with the same ratio sample the same traces, as the specification requires.
  return Number.parseInt(traceId.slice(-13), 16) < ratio * 2 ** 52
}

function nanos(): string {
  const micros = Math.round((performance.timeOrigin + performance.now()) * 1000)
  return `${micros}000`
}

function hex(bytes: number): string {
  return randomBytes(bytes).toString('hex')
}
