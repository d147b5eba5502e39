import { type Logger, pino } from 'pino'

/** Names of fields whose values never reach a log. */
const SECRET_FIELDS = [
  'authorization',
  'cookie',
  'password',
  'currentPassword',
  'newPassword',
  'token',
  'accessToken',
  'refreshToken',
  'key',
  'apiKey',
  'clientApiKey',
  'secret',
  'secrets',
  'secretKey',
  'webhookSecret',
  'clientSecret',
]

/** Structured logs, one JSON object a line, without secrets. `more` adds to each what it knows. */
export function startLog(level: string, more: (() => object) | null = null): Logger {
  const paths = SECRET_FIELDS.flatMap((field) => [field, `*.${field}`, `*.*.${field}`])
  return pino({
    level,
    redact: { paths, censor: '[secret]' },
    base: null,
    ...(more && { mixin: more }),
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
  })
}
