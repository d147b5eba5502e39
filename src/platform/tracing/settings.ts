/** Where spans go, and which. */
export type TracingSettings = {
  /** The collector's address for traces. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly timeoutMs: number
  /** How long a span waits for others to be sent with. */
  readonly sendMs: number
  /** What this process is: `service.name` and the like. */
  readonly resource: Readonly<Record<string, string>>
  readonly version: string
  /** Which share of the traces is kept; `followsParent`: all of those that a caller keeps. */
  readonly sampler: { readonly ratio: number; readonly followsParent: boolean }
}
