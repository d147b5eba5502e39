import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { ROOT } from '#platform/root.ts'
import { readConfig } from './config.ts'
import { BORROWED, misspelt, VARIABLES, withFiles } from './variables.ts'

test('a misspelt variable is named with the one that was meant', () => {
  for (const [name, meant] of [
    ['DATABSE_URL', 'DATABASE_URL'],
    ['MOORAGE_SERCET_KEY', 'MOORAGE_SECRET_KEY'],
    ['MORAGE_DATA_DIR', 'MOORAGE_DATA_DIR'],
    ['MOORAGE_DATABASE_URL', 'DATABASE_URL'],
    ['REDIS_URI', 'REDIS_URL'],
    ['OTEL_EXPORTER_OLTP_ENDPOINT', 'OTEL_EXPORTER_OTLP_ENDPOINT'],
    ['OTEL_TRACE_SAMPLER', 'OTEL_TRACES_SAMPLER'],
    ['AWS_SECERT_ACCESS_KEY', 'AWS_SECRET_ACCESS_KEY'],
    ['AWS_ACCES_KEY_ID_FILE', 'AWS_ACCESS_KEY_ID_FILE'],
    ['AWS_REGOIN', 'AWS_REGION'],
  ] as const) {
    assert.deepEqual(misspelt({ [name]: 'x' }), [
      `${name}: there is no such variable; ${meant} is probably meant`,
    ])
  }
})

/** What OpenTelemetry and AWS document besides the variables that are read here. */
const OF_OTHER_PROGRAMS = [
  ...['AWS_PROFILE', 'AWS_ROLE_ARN', 'AWS_ROLE_SESSION_NAME', 'AWS_MAX_ATTEMPTS', 'AWS_PAGER'],
  ...['AWS_CONFIG_FILE', 'AWS_CA_BUNDLE', 'AWS_DEFAULT_OUTPUT', 'AWS_RETRY_MODE', 'AWS_ACCOUNT_ID'],
  ...['AWS_SHARED_CREDENTIALS_FILE', 'AWS_WEB_IDENTITY_TOKEN_FILE', 'AWS_EC2_METADATA_DISABLED'],
  ...['AWS_ENDPOINT_URL_SQS', 'AWS_ENDPOINT_URL_EC2', 'AWS_ENDPOINT_URL_STS', 'AWS_EXECUTION_ENV'],
  ...[
    'AWS_USE_FIPS_ENDPOINT',
    'AWS_USE_DUALSTACK_ENDPOINT',
    'AWS_SECURITY_TOKEN',
    'AWS_ACCESS_KEY',
  ],
  ...['AWS_SECRET_KEY', 'AWS_IGNORE_CONFIGURED_ENDPOINT_URLS', 'OTEL_METRICS_EXPORTER'],
  ...['OTEL_LOGS_EXPORTER', 'OTEL_BLRP_SCHEDULE_DELAY', 'OTEL_PROPAGATORS', 'OTEL_LOG_LEVEL'],
  ...['OTEL_EXPORTER_OTLP_METRICS_ENDPOINT', 'OTEL_EXPORTER_OTLP_LOGS_ENDPOINT'],
  ...['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL', 'OTEL_EXPORTER_OTLP_TRACES_TIMEOUT'],
  ...['OTEL_BSP_EXPORT_TIMEOUT', 'OTEL_BSP_MAX_QUEUE_SIZE', 'OTEL_EXPORTER_OTLP_COMPRESSION'],
  ...[
    'OTEL_EXPORTER_OTLP_CERTIFICATE',
    'OTEL_METRIC_EXPORT_INTERVAL',
    'OTEL_ATTRIBUTE_COUNT_LIMIT',
  ],
]

test('variables of OpenTelemetry and AWS that are read are those that may be misspelt', () => {
  const folder = path.join(ROOT, 'src')
  const names = fs
    .readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(ts|js)$/.test(file) && !/(variables|\.test)\.ts$/.test(file))
    .flatMap((file) =>
      [
        ...fs.readFileSync(path.join(folder, file), 'utf8').matchAll(/\b(?:OTEL|AWS)_[A-Z0-9_]+/g),
      ].map(([name]) => name),
    )
  assert.deepEqual([...new Set(names)].sort(), [...BORROWED].sort())
})

test('variables of other programs, of Kubernetes and of Compose are left alone', () => {
  const others = {
    ...{ HOME: '/root', HOSTNAME: 'x', PORTS: '1', POSTGRES_URL: 'x', REDIS_PORT: 'tcp://x' },
    ...{ MOORAGE_SERVICE_HOST: '10.0.0.1', MOORAGE_PORT_3000_TCP_ADDR: '10.0.0.1' },
    ...{ MOORAGE_API_SERVICE_PORT: '80', MOORAGE_DOMAIN: 'shop.example.org', SMTP_HOST: 'x' },
    ...{ OTEL_SERVICE_NAME: 'x', AWS_REGION: 'x', DATABASE_URL: 'x', DATABASE_URLS: 'y' },
    ...Object.fromEntries(OF_OTHER_PROGRAMS.map((name) => [name, 'x'])),
  }
  assert.deepEqual(misspelt(others), [])
})

test('every variable of ours is in the table of the documentation, and the other way round', () => {
  const text = fs.readFileSync(path.join(ROOT, 'docs/configuration.md'), 'utf8')
  const table = text.split('\n').filter((line) => line.startsWith('| `'))
  const named = table.flatMap((line) => [...(line.split('|')[1] ?? '').matchAll(/`([A-Z_]+)`/g)])
  const own = named.map(([, name = '']) => name).filter((name) => !/^(OTEL|AWS)_|_FILE$/.test(name))
  assert.deepEqual([...new Set(own)].sort(), [...VARIABLES].sort())
})

test('a secret is read from the file that NAME_FILE names, without the newline at its end', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'moorage-variables-'))
  const file = path.join(folder, 'key')
  fs.writeFileSync(file, `${Buffer.alloc(32, 3).toString('base64')}\n`)
  const config = readConfig({ MOORAGE_DATA_DIR: folder, MOORAGE_SECRET_KEY_FILE: file })
  assert.deepEqual(config.secretKeys, [Buffer.alloc(32, 3)])
  const faults: string[] = []
  withFiles({ SMTP_URL: 'smtp://x', SMTP_URL_FILE: file }, faults)
  assert.deepEqual(faults, ['SMTP_URL and SMTP_URL_FILE are both set: remove one of them'])
  fs.rmSync(folder, { recursive: true })
})
