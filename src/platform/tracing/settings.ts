/** Where spans are sent, and which. */
export type TracingSettings = {
  /** The URL of the collector for traces. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly timeoutMs: number
  /** How long a span waits to be sent together with others. */
  readonly sendMs: number
  /** Attributes of this process: `service.name` and the like. */
  readonly resource: Readonly<Record<string, string>>
  readonly version: string
  /** The share of traces that is kept; `followsParent`: all traces that a caller keeps. */
  readonly sampler: { readonly ratio: number; readonly followsParent: boolean }
}
