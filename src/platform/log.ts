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

/** Structured logs, one JSON object a line, without secrets. */
export function startLog(level: string): Logger {
  const paths = SECRET_FIELDS.flatMap((field) => [field, `*.${field}`, `*.*.${field}`])
  return pino({
    level,
    redact: { paths, censor: '[secret]' },
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
  })
}
