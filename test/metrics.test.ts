import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { until } from '#test/app.ts'
import { gameShop } from '#test/game-shop.ts'

const TOKEN = 'a token for metrics'
const shop = await gameShop({ config: { metricsToken: TOKEN } })
const { app } = shop
const { plan } = await shop.server()
const player = await shop.customer()
await shop.becameOneSale(player, await shop.buy(player, plan.id))

type Sample = { name: string; labels: Record<string, string>; value: number }

async function samples(): Promise<Sample[]> {
  const headers = { authorization: `Bearer ${TOKEN}` }
  const { status, text } = await app.get('/v1/metrics', { headers })
  assert.equal(status, 200, text)
  return text.split('\n').flatMap((line) => {
    const [, name, labels = '', value] = /^([a-z_0-9]+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? []
    if (!name) return []
    const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, k = '', v = '']) => [
      k,
      v,
    ])
    return [{ name, labels: Object.fromEntries(pairs), value: Number(value) }]
  })
}

const all = await samples()
const served = Map.groupBy(all, ({ name }) => name)
/** The names of everything there is, values or none; a histogram is three. */
const DECLARED = new Set<string>()
const LABELS = new Map<string, readonly string[]>()
const { registry } = app.deps.metrics
for (const { name, type } of await registry.getMetricsAsJSON()) {
  const { labelNames = [] } = registry.getSingleMetric(name) as { labelNames?: string[] }
  const isHistogram = String(type) === 'histogram'
  for (const suffix of isHistogram ? ['_bucket', '_sum', '_count'] : ['']) {
    DECLARED.add(name + suffix)
    LABELS.set(name + suffix, isHistogram ? [...labelNames, 'le'] : labelNames)
  }
}

test('a purchase is counted by what happened and by what moved the money', () => {
  const value = (name: string, labels: Record<string, string>) =>
    all.find(
      (it) => it.name === name && Object.entries(labels).every(([k, v]) => it.labels[k] === v),
    )?.value
  for (const event of ['orders.placed', 'billing.invoice-paid', 'services.activated']) {
    assert.equal(value('moorage_events_total', { event }), 1, event)
  }
  const cents = (kind: string) => value('moorage_money_cents_total', { kind, currency: 'EUR' })
  assert.equal(cents('invoice_issued'), 1200)
  assert.equal(cents('payment_received'), 1200)
})

test('what waits is told with its age, and is gone once it is done', async (t) => {
  const { database, clock } = app.deps
  const [gateway] = (await database.execute('select id from billing.gateways')).rows
  const receivedAt = new Date(Date.parse(clock.now()) - 90_000).toISOString()
  await database.execute(
    `insert into billing.provider_events
       (tenant_id, id, gateway_id, event_key, type, envelope, state, received_at)
     values ($1, gen_random_uuid(), $2, 'waiting', 'a.type', '{}', 'new', $3)`,
    [shop.tenantId, gateway?.id, receivedAt],
  )
  t.after(() => database.execute(`delete from billing.provider_events where event_key = 'waiting'`))
  const lag = async () =>
    (await samples()).find(({ name }) => name === 'moorage_provider_events_lag_seconds')?.value
  await until('it is told', async () => ((await lag()) ?? 0) >= 90)
  await database.execute(`update billing.provider_events set state = 'done' where state = 'new'`)
  await until('it is gone', async () => (await lag()) === 0)
})

test('a schedule that nobody has looked at grows late', () => {
  const late = served.get('moorage_schedule_late_seconds') ?? []
  assert.ok(late.length > 20, `${late.length} kinds of work`)
  assert.ok(late.every(({ value }) => value >= 0))
})

const root = path.join(import.meta.dirname, '..')
const dashboard: Dashboard = JSON.parse(
  fs.readFileSync(path.join(root, 'ops/grafana/moorage.json'), 'utf8'),
)
type Dashboard = { panels: { id: number; title: string; targets?: { expr: string }[] }[] }

test('every query of the dashboard asks for metrics and labels that there are', () => {
  const queries = dashboard.panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr }) => ({ title, expr })),
  )
  assert.ok(queries.length > 25, `${queries.length} queries`)
  for (const { title, expr } of queries) {
    const names = expr.match(/\b(?:http|moorage|process|nodejs)_[a-z0-9_]+/g) ?? []
    assert.ok(names.length > 0, `${title}: ${expr}`)
    for (const name of names) {
      assert.ok(served.has(name) || DECLARED.has(name), `${title}: there is no ${name}`)
    }
    const asked = [
      ...[...expr.matchAll(/by \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(/,\s*/)),
      ...[...expr.matchAll(/\{([^}]*)\}/g)].flatMap(([, list = '']) =>
        [...list.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, label = '']) => label),
      ),
    ]
    const known = new Set([
      ...['instance', ...names.flatMap((name) => LABELS.get(name) ?? [])],
      ...names.flatMap((name) => (served.get(name) ?? []).flatMap((it) => Object.keys(it.labels))),
    ])
    for (const label of asked) assert.ok(known.has(label), `${title}: no label ${label}`)
  }
})

test('every panel has an id and a place of its own', () => {
  const ids = dashboard.panels.map(({ id }) => id)
  assert.equal(new Set(ids).size, ids.length)
})

test('docs/observability.md tells of every metric of ours, and of no other', () => {
  const text = fs.readFileSync(path.join(root, 'docs/observability.md'), 'utf8')
  const told = new Set([...text.matchAll(/^\| `((?:moorage|http)_[a-z_]+)`/gm)].map(([, it]) => it))
  const own = [...new Set([...DECLARED, ...served.keys()])]
    .map((name) => name.replace(/_(?:bucket|sum|count)$/, ''))
    .filter((name) => /^(?:moorage|http)_/.test(name))
  assert.deepEqual([...told].sort(), [...new Set(own)].sort())
})
