import fs from 'node:fs'
import { reasonOf } from '#platform/start-error.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** All variables of our own. */
export const VARIABLES = [
  ...(['PORT', 'HOST', 'PUBLIC_URL', 'DATABASE_URL', 'REDIS_URL', 'FILES_URL'] as const),
  ...(['SMTP_URL', 'TRUST_PROXY', 'RATE_LIMIT_GENERAL', 'RATE_LIMIT_AUTH'] as const),
  ...(['RATE_LIMIT_PERSON'] as const),
  ...(['LOG_LEVEL', 'LOG_FORMAT', 'MOORAGE_DATA_DIR', 'MOORAGE_SECRET_KEY'] as const),
  ...(['MOORAGE_IGNORE_SEALED', 'MOORAGE_ROLE', 'MOORAGE_DRAIN_SECONDS'] as const),
  ...(['MOORAGE_PROBE_PORT', 'MOORAGE_ADMIN_EMAIL', 'MOORAGE_ADMIN_PASSWORD'] as const),
  ...(['MOORAGE_PRIVATE_HOSTS', 'MOORAGE_METRICS_TOKEN', 'MOORAGE_SOURCE_URL'] as const),
  ...(['MOORAGE_SANDBOX_PROVIDER_URL', 'MOORAGE_SANDBOX_MOLLIE_URL'] as const),
  ...(['MOORAGE_SANDBOX_PAYPAL_URL', 'MOORAGE_VIES_URL', 'MOORAGE_DISCORD_URL'] as const),
  'MOORAGE_MOVABLE_CLOCK',
] as const

/** Variables whose value may be in a file instead, like secrets of Docker and Kubernetes: `NAME_FILE`. */
export const SECRETS = [
  ...['DATABASE_URL', 'REDIS_URL', 'SMTP_URL', 'MOORAGE_SECRET_KEY', 'MOORAGE_ADMIN_PASSWORD'],
  ...['MOORAGE_METRICS_TOKEN', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN'],
]

/** The variables of OpenTelemetry and AWS that are used here; their others are for other programs. */
export const BORROWED = [
  ...['OTEL_BSP_SCHEDULE_DELAY', 'OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_HEADERS'],
  ...['OTEL_EXPORTER_OTLP_PROTOCOL', 'OTEL_EXPORTER_OTLP_TIMEOUT', 'OTEL_RESOURCE_ATTRIBUTES'],
  ...['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_HEADERS'],
  ...['OTEL_SDK_DISABLED', 'OTEL_SERVICE_NAME', 'OTEL_TRACES_EXPORTER', 'OTEL_TRACES_SAMPLER'],
  ...['OTEL_TRACES_SAMPLER_ARG', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'],
  ...['AWS_SESSION_TOKEN', 'AWS_REGION', 'AWS_DEFAULT_REGION', 'AWS_ENDPOINT_URL'],
  'AWS_ENDPOINT_URL_S3',
]

/** Their variables whose names differ from one of these by two letters: other services, and the log exporter. */
const LOOKS_ALIKE = /^(AWS_ENDPOINT_URL_[A-Z0-9_]+|OTEL_BLRP_\w+)$/

/** Compose uses the first for the proxy; the others are for the Discord bot in `examples`. */
const ELSEWHERE = ['MOORAGE_DOMAIN', 'MOORAGE_URL', 'MOORAGE_TOKEN']

/** Variables that Kubernetes and Docker links set for a service whose name begins with `moorage`. */
const LINKED =
  /^MOORAGE_(\w+_)?(SERVICE_(HOST|PORT(_\w+)?)|PORT(_\d+_(TCP|UDP)(_(PROTO|PORT|ADDR))?)?)$/

/** Shorter names are too similar to many others. */
const MIN_LENGTH = 8
const LONG = 12

/** A fault for each unknown variable that is most likely a misspelt one. */
export function misspelt(env: Environment): string[] {
  const files = SECRETS.map((name) => `${name}_FILE`)
  const known = new Set<string>([...VARIABLES, ...BORROWED, ...files])
  return Object.entries(env).flatMap(([name, value]) => {
    if (!value || known.has(name) || ELSEWHERE.includes(name) || LOOKS_ALIKE.test(name)) return []
    const meant = [...known].find((it) => !env[it] && isNear(name.toUpperCase(), it))
    if (meant) return [`${name}: there is no such variable; ${meant} is probably meant`]
    if (!name.startsWith('MOORAGE_') || LINKED.test(name)) return []
    const bare = name.slice('MOORAGE_'.length)
    const hint = known.has(bare) ? `; ${bare} is probably meant` : '; remove it'
    return [`${name}: there is no such variable${hint}`]
  })
}

function isNear(name: string, known: string): boolean {
  if (known.length < MIN_LENGTH) return false
  return distance(name, known) <= (known.length < LONG ? 1 : 2)
}

/** How many letters are missing, superfluous, wrong, or swapped. */
function distance(left: string, right: string): number {
  if (Math.abs(left.length - right.length) > 2) return Number.POSITIVE_INFINITY
  let [before, row]: number[][] = [[], Array.from({ length: right.length + 1 }, (_, at) => at)]
  for (let i = 1; i <= left.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= right.length; j += 1) {
      const same = left[i - 1] === right[j - 1] ? 0 : 1
      let least = Math.min((row?.[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row?.[j - 1] ?? 0) + same)
      const swapped = left[i - 1] === right[j - 2] && left[i - 2] === right[j - 1]
      if (i > 1 && j > 1 && swapped) least = Math.min(least, (before?.[j - 2] ?? 0) + 1)
      next.push(least)
    }
    before = row
    row = next
  }
  return row?.[right.length] ?? 0
}

/** The environment with the secrets from files; adds a fault to `faults` for each that cannot be read. */
export function withFiles(env: Environment, faults: string[]): Environment {
  const read: Record<string, string> = {}
  for (const name of SECRETS) {
    const file = env[`${name}_FILE`]?.trim()
    if (!file) continue
    if (env[name]) {
      faults.push(`${name} and ${name}_FILE are both set: remove one of them`)
      continue
    }
    try {
      read[name] = fs.readFileSync(file, 'utf8').trim()
      if (!read[name]) faults.push(`${name}_FILE: ${file} is empty`)
    } catch (error) {
      faults.push(`${name}_FILE: ${reasonOf(error)}`)
    }
  }
  return Object.keys(read).length > 0 ? { ...env, ...read } : env
}
