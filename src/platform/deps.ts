import type { Logger } from 'pino'
import type { Caller } from '#lib/caller.ts'
import type { Instant } from '#lib/time.ts'
import type { Area } from './area.ts'
import type { Clock } from './clock.ts'
import type { Config } from './config.ts'
import type { Database, Db, Tx } from './database/index.ts'
import type { WatchedFiles } from './files/watched.ts'
import type { RateLimiter } from './http/limits.ts'
import type { Metrics } from './metrics.ts'
import type { Outbounds } from './outbound-uses.ts'
import type { Queue } from './queue.ts'
import type { Secrets } from './secrets.ts'
import type { Tracing } from './tracing/index.ts'

/** The services that routes and jobs get. */
export type Deps = {
  readonly config: Config
  readonly clock: Clock
  readonly database: Database
  readonly secrets: Secrets
  readonly log: Logger
  readonly queue: Queue
  readonly limiter: RateLimiter
  readonly metrics: Metrics
  /** Null if nothing is traced. */
  readonly tracing: Tracing | null
  /** Stored files: documents. */
  readonly files: WatchedFiles
  /** Connections to addresses that people have entered: panels, webhooks. */
  readonly outbound: Outbounds
  /** Every area, in order, for code that needs all of them. */
  readonly areas: readonly Area[]
  /** Whether this process is about to end: it still serves, but should get no more requests. */
  readonly isEnding: () => boolean
  /** Called when the permissions of a caller have changed, so that cached ones are removed. */
  readonly forgetCallers: (which: { userId?: string; credentialId?: string }) => void
}

/** The context of a job: the rows of its tenant, and the time at which it began. */
export type JobContext = Deps & {
  readonly db: Db
  readonly tenantId: string
  readonly now: Instant
  readonly requestId: string | null
  /** Whether a failure of this attempt is not followed by another one. */
  readonly lastTry: boolean
  readonly signal: AbortSignal
  /** Runs `work` in one transaction of the job's tenant. */
  transact<T>(work: (tx: Tx) => Promise<T>): Promise<T>
}

/** Who calls, and in which request, for the audit log. */
export type RequestFacts = {
  readonly caller: Caller | null
  readonly tenantId: string
  readonly requestId: string
  readonly now: Instant
}
