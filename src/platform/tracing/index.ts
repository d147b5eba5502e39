import { AsyncLocalStorage } from 'node:async_hooks'

/** What is known of a piece of work: words of OpenTelemetry, never values that somebody typed. */
export type Attributes = Readonly<Record<string, string | number | boolean>>

/** A piece of work that is being measured. */
export type Span = {
  /** Names it to another process, as the header `traceparent` does. */
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

/** Where work begins that nobody in this process asked for: requests, jobs. */
export type Tracing = {
  /** `parent` is a `traceparent`; what is none begins a trace of its own. */
  begin(name: string, facts: SpanFacts, parent: string | null): Span
  /** Sends what is left. */
  stop(): Promise<void>
}

const active = new AsyncLocalStorage<Span>()

/** Whether somebody measures what is done now. */
export function isTraced(): boolean {
  return active.getStore() !== undefined
}

/** The piece of work that is being done now, for another process to go on with. */
export function traceparent(): string | null {
  return active.getStore()?.traceparent ?? null
}

/** The trace that a line of the log belongs to. */
export function traceFields(): { traceId?: string } {
  const span = active.getStore()
  return span ? { traceId: span.traceId } : {}
}

/** Does something as part of a piece of work. */
export function within<T>(span: Span, work: () => T): T {
  return active.run(span, work)
}

/** Does something as a piece of work of its own, if it is part of one that is measured. */
export async function traced<T>(
  name: string,
  facts: SpanFacts,
  work: (span: Span | null) => Promise<T>,
): Promise<T> {
  const parent = active.getStore()
  return parent ? measured(parent.child(name, facts), work) : work(null)
}

/** Does something as this piece of work, and ends it. */
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
