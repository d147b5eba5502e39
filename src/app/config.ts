import fs from 'node:fs'
import { isIP } from 'node:net'
import path from 'node:path'
import { IsEmail } from 'typebox/format'
import type { Config } from '#platform/config.ts'
import { openingIn } from '#platform/private-hosts.ts'
import { reasonOf, StartError } from '#platform/start-error.ts'
import { isGuessable } from '#users'
import packageFile from '../../package.json' with { type: 'json' }
import { placeIn } from './files-url.ts'
import { generatedKeys, KEY_BYTES, keysIn } from './secret-file.ts'
import { readTracing } from './tracing.ts'
import { type Environment, misspelt, SECRETS, withFiles } from './variables.ts'

/** The configuration is wrong: every fault in one message, for the person who starts Moorage. */
export class ConfigError extends StartError {}

const VIES_URL = 'https://ec.europa.eu/taxation_customs/vies/rest-api'
const MIN_PASSWORD_LENGTH = 10
const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']

/** Reads the configuration from the environment. Throws a ConfigError that names every fault. */
export function readConfig(given: Environment, { makesKey = true } = {}): Config {
  const faults = misspelt(given)
  const env = withFiles(given, faults)
  faults.push(...placeholdersIn(env, given))
  const read = readerOf(env, faults, makesKey)
  const port = read.number('PORT', 3000, 0, 65_535)
  const host = read.text('HOST') ?? '127.0.0.1'
  const databaseUrl = read.url('DATABASE_URL', ['postgres:', 'postgresql:'])
  const dataDir = path.resolve(read.text('MOORAGE_DATA_DIR') ?? './data')
  const config: Config = {
    version: packageFile.version,
    port,
    host,
    publicUrl: (read.url('PUBLIC_URL', ['http:', 'https:']) ?? defaultUrl(host, port)).replace(
      /\/+$/,
      '',
    ),
    databaseUrl,
    redisUrl: read.url('REDIS_URL', ['redis:', 'rediss:', 'valkey:']),
    dataDir,
    files: read.files('FILES_URL') ?? { folder: path.join(dataDir, 'files') },
    secretKeys: read.keys('MOORAGE_SECRET_KEY', databaseUrl === null ? dataDir : null),
    role: read.oneOf('MOORAGE_ROLE', ['all', 'api', 'worker'] as const, 'all'),
    drainMs: read.number('MOORAGE_DRAIN_SECONDS', 0, 0, 300) * 1000,
    probePort: read.text('MOORAGE_PROBE_PORT')
      ? read.number('MOORAGE_PROBE_PORT', 0, 1, 65_535)
      : null,
    admin: read.admin(),
    rateLimits: {
      general: read.number('RATE_LIMIT_GENERAL', 500, 1, 1_000_000),
      auth: read.number('RATE_LIMIT_AUTH', 20, 1, 1_000_000),
      person: read.number('RATE_LIMIT_PERSON', 2000, 1, 1_000_000),
    },
    trustProxy:
      read.list('TRUST_PROXY', isNetwork, 'an IP address or a range such as 10.0.0.0/8') ?? false,
    privateHosts: read.list('MOORAGE_PRIVATE_HOSTS', () => true, 'a host') ?? [],
    sandboxProviderUrl: read.url('MOORAGE_SANDBOX_PROVIDER_URL', ['http:', 'https:']),
    sandboxMollieUrl: read.url('MOORAGE_SANDBOX_MOLLIE_URL', ['http:', 'https:']),
    sandboxPaypalUrl: read.url('MOORAGE_SANDBOX_PAYPAL_URL', ['http:', 'https:']),
    viesUrl:
      read.text('MOORAGE_VIES_URL') === 'off'
        ? null
        : (read.url('MOORAGE_VIES_URL', ['http:', 'https:']) ?? VIES_URL).replace(/\/+$/, ''),
    discordUrl: (
      read.url('MOORAGE_DISCORD_URL', ['http:', 'https:']) ?? 'https://discord.com'
    ).replace(/\/+$/, ''),
    smtpUrl: read.url('SMTP_URL', ['smtp:', 'smtps:']),
    sourceUrl: read.url('MOORAGE_SOURCE_URL', ['http:', 'https:']),
    metricsToken: read.text('MOORAGE_METRICS_TOKEN') ?? null,
    tracing: readTracing(read, packageFile.version),
    logLevel: read.oneOf('LOG_LEVEL', LEVELS, 'info'),
    logFormat: read.oneOf(
      'LOG_FORMAT',
      ['json', 'pretty'] as const,
      process.stdout.isTTY ? 'pretty' : 'json',
    ),
    sharedPagesMs: 900,
    ignoresSealed: read.oneOf('MOORAGE_IGNORE_SEALED', ['on', 'off'] as const, 'off') === 'on',
    movableClock: read.oneOf('MOORAGE_MOVABLE_CLOCK', ['on', 'off'] as const, 'off') === 'on',
  }
  for (const opening of config.privateHosts.map(openingIn)) {
    if (typeof opening === 'string') faults.push(`MOORAGE_PRIVATE_HOSTS: ${opening}`)
  }
  if (databaseUrl === null && config.role !== 'all') {
    faults.push('MOORAGE_ROLE: the embedded database has one process; set DATABASE_URL for several')
  }
  if (faults.length > 0)
    throw new ConfigError(`The configuration is wrong:\n  ${faults.join('\n  ')}`)
  return config
}

/** The placeholder for secrets in the example files, as a word of its own, not as part of a host name. */
const PLACEHOLDER = /(?<![a-z0-9])change[-_ ]?me(?![a-z0-9])/i
const WITH_SECRETS = [
  ...SECRETS,
  ...['OTEL_EXPORTER_OTLP_HEADERS', 'OTEL_EXPORTER_OTLP_TRACES_HEADERS'],
]

function placeholdersIn(env: Environment, given: Environment): string[] {
  return WITH_SECRETS.filter((name) => PLACEHOLDER.test(env[name] ?? '')).map((name) => {
    const place = given[name] ? name : `${name}_FILE`
    return `${place}: still has change-me from the example; set a secret of your own`
  })
}

/** Why a folder of another user cannot be used; null for an error of another kind. */
function closedFolder(error: Error, dataDir: string): string | null {
  if ((error as NodeJS.ErrnoException).code !== 'EACCES') return null
  const owner = fs.statSync(dataDir, { throwIfNoEntry: false })?.uid
  if (owner === undefined || owner === process.geteuid?.()) return null
  return `MOORAGE_DATA_DIR: ${dataDir} belongs to user ${owner}, and this user may not read it; run this as user ${owner}, or choose another folder`
}

function isFirstStart(dataDir: string): boolean {
  return !fs.existsSync(path.join(dataDir, 'database', 'PG_VERSION'))
}

function defaultUrl(host: string, port: number): string {
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`
}

function readerOf(env: Environment, faults: string[], makesKey: boolean) {
  function text(name: string): string | undefined {
    return env[name]?.trim() || undefined
  }
  function keysOf(dataDir: string): Buffer[] {
    const keyIsThere = fs.existsSync(path.join(dataDir, 'secret.key'))
    // A first start with a faulty configuration creates no key.
    if (!keyIsThere && (faults.length > 0 || (!makesKey && isFirstStart(dataDir))))
      return [Buffer.alloc(KEY_BYTES)]
    try {
      return generatedKeys(dataDir)
    } catch (error) {
      if (!(error instanceof Error)) throw error
      faults.push(closedFolder(error, dataDir) ?? `MOORAGE_DATA_DIR: ${reasonOf(error)}`)
      return [Buffer.alloc(KEY_BYTES)]
    }
  }
  return {
    text,
    number(name: string, fallback: number, min: number, max: number): number {
      const value = text(name)
      if (value === undefined) return fallback
      const number = Number(value)
      if (Number.isInteger(number) && number >= min && number <= max) return number
      faults.push(`${name}: "${value}" is not a whole number from ${min} to ${max}`)
      return fallback
    },
    url(name: string, schemes: readonly string[]): string | null {
      const value = text(name)
      if (value === undefined) return null
      const { protocol, host } = URL.parse(value) ?? { protocol: '', host: '' }
      if (!schemes.includes(protocol)) {
        faults.push(`${name}: not an address that starts with ${schemes.join('// or ')}//`)
        return null
      }
      // A database and Redis may be on a local socket, which has no host.
      if (host || !needsHost(protocol)) return value
      faults.push(`${name}: the address names no host; write it as ${protocol}//host`)
      return null
    },
    files(name: string): Config['files'] | null {
      const value = text(name)
      if (value === undefined) return null
      const read = placeIn(value, env)
      if ('place' in read) return read.place
      faults.push(...read.faults)
      return null
    },
    oneOf<const W extends readonly string[]>(
      name: string,
      words: W,
      fallback: W[number],
    ): W[number] {
      const value = text(name)
      if (value === undefined || words.includes(value)) return value ?? fallback
      faults.push(`${name}: "${value}" is not one of ${words.join(', ')}`)
      return fallback
    },
    list(name: string, fits: (item: string) => boolean, what: string): string[] | null {
      const items = text(name)
        ?.split(',')
        .map((item) => item.trim())
        .filter(Boolean)
      const wrong = items?.find((item) => !fits(item))
      if (wrong) faults.push(`${name}: "${wrong}" is not ${what}`)
      return items ?? null
    },
    /** `name=value` pairs separated by commas, with URL-encoded values. */
    pairs(name: string): Record<string, string> {
      const pairs = (text(name) ?? '').split(',').filter((it) => it.trim() !== '')
      const wrong = pairs.some((it) => !/^[^=]+=(?:[^%]|%[0-9a-f]{2})*$/i.test(it))
      if (wrong) faults.push(`${name}: not a list such as name=value,other=value`)
      return wrong ? {} : Object.fromEntries(pairs.map(pairOf))
    },
    share(name: string): number {
      const share = Number(text(name) ?? 1)
      if (share >= 0 && share <= 1) return share
      faults.push(`${name}: "${text(name)}" is not a number from 0 to 1`)
      return 1
    },
    admin(): Config['admin'] {
      const email = text('MOORAGE_ADMIN_EMAIL')?.toLowerCase()
      const password = env.MOORAGE_ADMIN_PASSWORD
      if (!email && !password) return null
      if (!email || !password) {
        faults.push('MOORAGE_ADMIN_EMAIL and MOORAGE_ADMIN_PASSWORD go together')
        return null
      }
      if (!IsEmail(email)) {
        faults.push(`MOORAGE_ADMIN_EMAIL: "${email}" is not an email address`)
      }
      if (password.length < MIN_PASSWORD_LENGTH) {
        faults.push(`MOORAGE_ADMIN_PASSWORD: at least ${MIN_PASSWORD_LENGTH} characters`)
      } else if (isGuessable(password, email)) {
        faults.push(
          'MOORAGE_ADMIN_PASSWORD: this password is too easy to guess; choose another one',
        )
      }
      return { email, password }
    },
    keys(name: string, generatedIn: string | null): Buffer[] {
      const value = text(name)
      if (value === undefined) {
        if (generatedIn) return keysOf(generatedIn)
        faults.push(`${name}: required with DATABASE_URL; make one with: openssl rand -base64 32`)
        return [Buffer.alloc(KEY_BYTES)]
      }
      const keys = keysIn(value)
      if (!keys) {
        faults.push(`${name}: not 32 bytes in base64; make one with: openssl rand -base64 32`)
      }
      return keys ?? [Buffer.alloc(KEY_BYTES)]
    },
  }
}

/** Networks whose names the server's proxy check knows. */
const NAMED_NETWORKS = ['loopback', 'linklocal', 'uniquelocal']

/** Whether a text is an IP address, a range of them, or the name of a network. */
function isNetwork(text: string): boolean {
  if (NAMED_NETWORKS.includes(text)) return true
  const [address = '', prefix, ...more] = text.split('/')
  const bits = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1
  if (prefix === undefined || more.length > 0) return bits > 0 && more.length === 0
  return /^\d+$/.test(prefix) && Number(prefix) <= bits
}

function needsHost(protocol: string): boolean {
  return ['smtp:', 'smtps:', 'http:', 'https:'].includes(protocol)
}

function pairOf(text: string): [string, string] {
  const at = text.indexOf('=')
  return [text.slice(0, at).trim(), decodeURIComponent(text.slice(at + 1).trim())]
}
