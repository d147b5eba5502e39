import { AsyncLocalStorage } from 'node:async_hooks'

/** Attributes of a span, with names of OpenTelemetry, and never with values that a user has entered. */
export type Attributes = Readonly<Record<string, string | number | boolean>>

/** A piece of work that is measured. */
export type Span = {
  /** Its id for another process, in the format of the header `traceparent`. */
  readonly traceparent: string
  readonly traceId: string
  child(name: string, facts: SpanFacts): Span
  set(attributes: Attributes): void
  fail(error: unknown): void
  end(): void
}

export type SpanFacts = {
  readonly kind: 'internal' | 'server' | 'client' | 'consumer'
  readonly attributes?: Attributes
}

/** Starts the spans of work that nothing else in this process caused: requests, jobs. */
export type Tracing = {
  /** `parent` is a `traceparent`; an invalid one starts a new trace. */
  begin(name: string, facts: SpanFacts, parent: string | null): Span
  /** Sends the remaining spans. */
  stop(): Promise<void>
}

const active = new AsyncLocalStorage<Span>()

/** Whether the current work is measured. */
export function isTraced(): boolean {
  return active.getStore() !== undefined
}

/** The span of the current work, for another process to continue. */
export function traceparent(): string | null {
  return active.getStore()?.traceparent ?? null
}

/** The trace that a line of the log belongs to. */
export function traceFields(): { traceId?: string } {
  const span = active.getStore()
  return span ? { traceId: span.traceId } : {}
}

/** Runs work as part of a span. */
export function within<T>(span: Span, work: () => T): T {
  return active.run(span, work)
}

/** Runs work as a span of its own, if it is part of one that is measured. */
export async function traced<T>(
  name: string,
  facts: SpanFacts,
  work: (span: Span | null) => Promise<T>,
): Promise<T> {
  const parent = active.getStore()
  return parent ? measured(parent.child(name, facts), work) : work(null)
}

/** Runs work as this span, and ends it. */
export async function measured<T>(span: Span, work: (span: Span) => Promise<T>): Promise<T> {
  try {
    return await within(span, () => work(span))
  } catch (error) {
    span.fail(error)
    throw error
  } finally {
    span.end()
  }
}
