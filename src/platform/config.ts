import type { FilesPlace } from './files/place.ts'
import type { TracingSettings } from './tracing/settings.ts'

/** The configuration of this process; read once at start, never changed. */
export type Config = {
  readonly version: string
  readonly port: number
  readonly host: string
  /** The public URL of this installation, without a slash at its end. */
  readonly publicUrl: string
  /** Null: the embedded database in `dataDir`. */
  readonly databaseUrl: string | null
  readonly redisUrl: string | null
  readonly dataDir: string
  /** Where documents and uploads are stored; several machines share it. */
  readonly files: FilesPlace
  /** The current key first, then earlier ones, which still open what was sealed with them. 32 bytes each. */
  readonly secretKeys: readonly Buffer[]
  readonly role: 'all' | 'api' | 'worker'
  /** How long a process that is to end reports so and still serves, before it accepts no more connections. */
  readonly drainMs: number
  /** The port on which a worker process reports its health; null for none. */
  readonly probePort: number | null
  readonly admin: { readonly email: string; readonly password: string } | null
  /** Requests per minute: per key or network, per network for attempts at secrets, and per person in total. */
  readonly rateLimits: { readonly general: number; readonly auth: number; readonly person: number }
  /** Proxies whose forwarded headers are trusted: addresses, ranges, or false for none. */
  readonly trustProxy: readonly string[] | false
  /** `host:port` of private addresses that may be called. */
  readonly privateHosts: readonly string[]
  readonly sandboxProviderUrl: string | null
  readonly sandboxMollieUrl: string | null
  readonly sandboxPaypalUrl: string | null
  /** The REST API of the EU's register of VAT numbers; null: numbers are never checked. */
  readonly viesUrl: string | null
  /** The address of Discord, where people link their accounts, without a slash at its end. */
  readonly discordUrl: string
  /** Null: mails are only stored, and an administrator can read them. */
  readonly smtpUrl: string | null
  readonly metricsToken: string | null
  /** Where the source code of this version is available; null if not configured. */
  readonly sourceUrl: string | null
  /** Null: nothing is traced. */
  readonly tracing: TracingSettings | null
  readonly logLevel: string
  readonly logFormat: 'json' | 'pretty'
  /** For emergencies: starts although no key opens the sealed data. */
  readonly ignoresSealed: boolean
  /** How long a page of the shop window may be reused for other visitors, in ms; 0 renders it for each. */
  readonly sharedPagesMs: number
  /** For demos and tests: the clock may be moved through the API. */
  readonly movableClock: boolean
}
