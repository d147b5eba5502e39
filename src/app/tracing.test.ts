import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConfigError, readConfig } from './config.ts'

const plain = {
  DATABASE_URL: 'postgres://localhost',
  MOORAGE_SECRET_KEY: Buffer.alloc(32).toString('base64'),
}
const to = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/' }
const read = (env: Record<string, string>) => readConfig({ ...plain, ...env }).tracing

test('without an address, or switched off, nothing is traced', () => {
  assert.equal(read({}), null)
  assert.equal(read({ ...to, OTEL_SDK_DISABLED: 'true' }), null)
  assert.equal(read({ ...to, OTEL_TRACES_EXPORTER: 'none' }), null)
})

test('an address is enough, and traces have their own path below it', () => {
  const settings = read(to)
  assert.equal(settings?.url, 'http://collector:4318/v1/traces')
  assert.equal(settings?.resource['service.name'], 'moorage')
  assert.deepEqual(settings?.sampler, { ratio: 1, followsParent: true })
})

test('the usual variables are read', () => {
  const settings = read({
    ...to,
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://traces.test/in',
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Basic%20abc,x-a=b=c',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test,service.name=other',
    OTEL_SERVICE_NAME: 'shop',
    OTEL_TRACES_SAMPLER: 'traceidratio',
    OTEL_TRACES_SAMPLER_ARG: '0.25',
    OTEL_EXPORTER_OTLP_TIMEOUT: '2000',
  })
  assert.equal(settings?.url, 'https://traces.test/in')
  assert.deepEqual(settings?.headers, { authorization: 'Basic abc', 'x-a': 'b=c' })
  assert.equal(settings?.resource['service.name'], 'shop')
  assert.equal(settings?.resource['deployment.environment.name'], 'test')
  assert.deepEqual(settings?.sampler, { ratio: 0.25, followsParent: false })
  assert.equal(settings?.timeoutMs, 2000)
})

const refusals = [
  ['a protocol that is not spoken', { OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }],
  ['a share above one', { OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '2' }],
  ['headers that are no list', { OTEL_EXPORTER_OTLP_HEADERS: 'abc' }],
] as const

for (const [what, env] of refusals) {
  test(`${what} stops the start`, () => {
    const [name = ''] = Object.keys(env).slice(-1)
    assert.throws(
      () => read({ ...to, ...env }),
      (error) => error instanceof ConfigError && error.message.includes(name),
    )
  })
}
