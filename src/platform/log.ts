import { type Logger, type LoggerOptions, pino } from 'pino'
import { prettyLine } from './log-line.ts'

/** Names of fields whose values are never logged. */
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

/** Structured logs, one JSON object per line, without secrets. `more` adds fields to each line. */
export function startLog(
  level: string,
  more: (() => object) | null = null,
  format: 'json' | 'pretty' = 'json',
): Logger {
  const paths = SECRET_FIELDS.flatMap((field) => [field, `*.${field}`, `*.*.${field}`])
  const options: LoggerOptions = {
    level,
    redact: { paths, censor: '[secret]' },
    base: null,
    ...(more && { mixin: more }),
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
  }
  return format === 'pretty' ? pino(options, { write: writePretty }) : pino(options)
}

function writePretty(line: string): void {
  const coloured = process.stdout.isTTY === true && !process.env.NO_COLOR
  process.stdout.write(prettyLine(line, coloured))
}
