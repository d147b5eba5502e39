import assert from 'node:assert/strict'
import { test } from 'node:test'
import v8 from 'node:v8'
import vm from 'node:vm'
import { areas } from '#app/areas.ts'
import { testApp, until } from '#test/app.ts'
import type { Area } from './area.ts'
import { startMetrics } from './metrics.ts'

v8.setFlagsFromString('--expose-gc')
const collect = vm.runInNewContext('gc') as () => void

test('who keeps what a service stood on does not keep its server', async (t) => {
  const made: WeakRef<object>[] = []
  const witness: Area = {
    name: 'witness',
    routes: [async (server) => void made.push(new WeakRef(server))],
  }
  const app = await testApp(t, { areas: [...areas, witness] })
  assert.equal((await app.get('/v1/health')).status, 200)
  assert.ok(made[0]?.deref())
  await app.stop()
  const letGo = () => {
    collect()
    return made[0]?.deref() === undefined
  }
  await until('the server is let go of', letGo, { waitMs: 5000 })
  assert.equal(app.deps.isEnding(), true)
})

test('several services in one process watch it with the same instruments', () => {
  const [one, other] = [startMetrics().registry, startMetrics().registry]
  for (const name of ['nodejs_gc_duration_seconds', 'nodejs_eventloop_lag_p99_seconds']) {
    assert.ok(one.getSingleMetric(name))
    assert.equal(one.getSingleMetric(name), other.getSingleMetric(name))
  }
  const own = 'moorage_events_total'
  assert.notEqual(one.getSingleMetric(own), other.getSingleMetric(own))
})
