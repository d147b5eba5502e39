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

/** What routes and jobs are made with. */
export type Deps = {
  readonly config: Config
  readonly clock: Clock
  readonly database: Database
  readonly secrets: Secrets
  readonly log: Logger
  readonly queue: Queue
  readonly limiter: RateLimiter
  readonly metrics: Metrics
  /** Null where nothing is traced. */
  readonly tracing: Tracing | null
  /** What is kept as files: documents. */
  readonly files: WatchedFiles
  /** The way out to addresses that people typed: panels, webhooks. */
  readonly outbound: Outbounds
  /** Every area, in order: for what must know them all. */
  readonly areas: readonly Area[]
  /** Whether this process is about to end: it serves, and wants no more to come. */
  readonly isEnding: () => boolean
  /** Told when what a caller may do has changed, so that nothing remembers the old answer. */
  readonly forgetCallers: (which: { userId?: string; credentialId?: string }) => void
}

/** What a job runs with: the rows of its tenant, and the moment it began. */
export type JobContext = Deps & {
  readonly db: Db
  readonly tenantId: string
  readonly now: Instant
  readonly requestId: string | null
  /** Whether no further try follows a failure of this one. */
  readonly lastTry: boolean
  readonly signal: AbortSignal
  /** Runs `work` in one transaction of the job's tenant. */
  transact<T>(work: (tx: Tx) => Promise<T>): Promise<T>
}

/** Who calls, and which request this is: what the audit log wants to know. */
export type RequestFacts = {
  readonly caller: Caller | null
  readonly tenantId: string
  readonly requestId: string
  readonly now: Instant
}
