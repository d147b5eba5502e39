import type { FilesPlace } from './files/place.ts'
import type { TracingSettings } from './tracing/settings.ts'

/** What this process runs with; read once at start, never changed. */
export type Config = {
  readonly version: string
  readonly port: number
  readonly host: string
  /** Where the outside reaches us, without a slash at its end. */
  readonly publicUrl: string
  /** Null: the embedded database in `dataDir`. */
  readonly databaseUrl: string | null
  readonly redisUrl: string | null
  readonly dataDir: string
  /** Where documents and uploads are kept; several machines share it. */
  readonly files: FilesPlace
  /** The current key first, then earlier ones that still open what they sealed. 32 bytes each. */
  readonly secretKeys: readonly Buffer[]
  readonly role: 'all' | 'api' | 'worker'
  /** So long a process that is to end says so, and serves on, before it takes no more connections. */
  readonly drainMs: number
  /** Where a process that only works tells how it is; null for nowhere. */
  readonly probePort: number | null
  readonly admin: { readonly email: string; readonly password: string } | null
  /** Requests a minute: per key or network, per network where secrets are tried, and per person over all. */
  readonly rateLimits: { readonly general: number; readonly auth: number; readonly person: number }
  /** Proxies whose forwarded headers count: addresses, ranges, or false for none. */
  readonly trustProxy: readonly string[] | false
  /** `host:port` of private addresses that may be called. */
  readonly privateHosts: readonly string[]
  readonly sandboxProviderUrl: string | null
  readonly sandboxMollieUrl: string | null
  readonly sandboxPaypalUrl: string | null
  /** The REST API of the EU's register of VAT numbers; null: no number is ever checked. */
  readonly viesUrl: string | null
  /** Where people link their Discord accounts, without a slash at its end. */
  readonly discordUrl: string
  /** Null: mails are kept, and an administrator can read them. */
  readonly smtpUrl: string | null
  readonly metricsToken: string | null
  /** Where the source of what runs here can be had; null where nobody said. */
  readonly sourceUrl: string | null
  /** Null: nothing is traced. */
  readonly tracing: TracingSettings | null
  readonly logLevel: string
  readonly logFormat: 'json' | 'pretty'
  /** In an emergency: starts although no key opens what is sealed. */
  readonly ignoresSealed: boolean
  /** How long a page of the shop window may be shown to other visitors, in ms; 0 renders it for each. */
  readonly sharedPagesMs: number
  /** Demo and tests: the clock may be moved through the API. */
  readonly movableClock: boolean
}
