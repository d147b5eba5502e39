import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '#test/app.ts'
import { collector } from '#test/collector.ts'
import { fingerprintOf } from './fingerprint.ts'
import { measured, traced, traceparent } from './index.ts'
import { startTracing } from './otlp.ts'

const statements = [
  [
    'select "a"."id" from "users"."users" as "a" where "email" = $1 and "n" = 12',
    [
      'SELECT users.users',
      'select "a"."id" from "users"."users" as "a" where "email" = ? and "n" = ?',
    ],
  ],
  [
    `insert into billing.lines (a, b) values ($1, $2), ($3, $4)`,
    ['INSERT billing.lines', 'insert into billing.lines (a, b) values (?)'],
  ],
  [
    `update store.carts set note = 'it''s ''mine''' -- of Ada\n where id = $1`,
    ['UPDATE store.carts', 'update store.carts set note = ? where id = ?'],
  ],
  [
    `with it as (select 1.5) delete from jobs.job where id in ($1, $2,$3)`,
    ['DELETE jobs.job', 'with it as (select ?) delete from jobs.job where id in (?)'],
  ],
  ['commit', ['COMMIT', 'commit']],
] as const

for (const [sql, [name, text]] of statements) {
  test(`a statement is told of without its values: ${name}`, () => {
    assert.deepEqual(fingerprintOf(sql), { name, text })
  })
}

test('what happens within a piece of work belongs to it, and a failure is told of by its kind', async () => {
  const to = await collector()
  const tracing = startTracing(to.settings, () => {})
  const root = tracing.begin('root', { kind: 'server' }, null)
  const failing = measured(root, () =>
    traced('inner', { kind: 'client' }, async () => {
      assert.equal(traceparent()?.split('-')[1], root.traceId)
      throw Object.assign(new TypeError('secret'), { code: 'E1' })
    }),
  )
  await assert.rejects(failing)
  assert.equal(traceparent(), null)
  await tracing.stop()
  assert.deepEqual(
    to.spans.map(({ name, status }) => [name, status.message]),
    [
      ['inner', 'TypeError E1'],
      ['root', 'TypeError E1'],
    ],
  )
  const [inner, outer] = to.spans
  assert.equal(inner?.parentSpanId, outer?.spanId)
  assert.ok(!JSON.stringify(to.spans).includes('secret'))
})

test('a collector that is away is told of once, and gets later what it could not take', async () => {
  const to = await collector()
  const told: unknown[] = []
  const tracing = startTracing(to.settings, (error) => told.push(error))
  to.answers(503)
  tracing.begin('first', { kind: 'server' }, null).end()
  await until('it was told of', () => told.length === 1)
  tracing.begin('second', { kind: 'server' }, null).end()
  to.answers(200)
  await until('both have arrived', () => to.spans.length === 2)
  await tracing.stop()
  assert.equal(told.length, 2)
  assert.equal(told[1], null)
})

test('a share of the traces is kept, the same in every process', async () => {
  const to = await collector()
  const half = { ...to.settings, sampler: { ratio: 0.5, followsParent: false } }
  const [one, other] = [startTracing(half, () => {}), startTracing(half, () => {})]
  for (let index = 0; index < 400; index += 1) {
    const span = one.begin('one', { kind: 'server' }, null)
    span.end()
    other.begin('other', { kind: 'consumer' }, span.traceparent).end()
  }
  await one.stop()
  await other.stop()
  const kept = to.spans.filter(({ name }) => name === 'one').map(({ traceId }) => traceId)
  assert.ok(kept.length > 120 && kept.length < 280, `${kept.length} of 400`)
  const others = to.spans.filter(({ name }) => name === 'other').map(({ traceId }) => traceId)
  assert.deepEqual(others.sort(), kept.sort())
})
