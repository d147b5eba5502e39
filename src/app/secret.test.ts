import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { secretsOf } from '#platform/secrets.ts'
import { account, enrolTotp } from '#test/accounts.ts'
import { until } from '#test/app.ts'
import { gameShop } from '#test/game-shop.ts'
import { voucherBatch } from '#test/vouchers.ts'
import { areas } from './areas.ts'
import { reseal } from './secret.ts'

const shop = await gameShop()
const { app, admin, catalog, nodeId } = shop
const { database, config } = app.deps
await admin.patch(`/v1/admin/nodes/${nodeId}`, { clientApiKey: 'ptlc_0123456789' })
await admin.patch('/v1/admin/settings', { connections: { discordClientSecret: 'a secret' } })
await app.get('/v1/oidc/jwks')
const hooks = '/v1/admin/webhook-endpoints'
const { id: hookId } = (await admin.post(hooks, { url: 'https://1.1.1.1/hook' })).body
await admin.post(`${hooks}/${hookId}/rotate-secret`)
const mail = { host: '1.1.1.1', port: 587, security: 'starttls' }
await admin.put('/v1/admin/mail-server', { ...mail, username: 'shop', password: 'a password' })
await voucherBatch(admin)
const session = await account(app)
await enrolTotp(app, session.me)
const [old] = config.secretKeys
assert.ok(old)
const newest = randomBytes(32)
const both = secretsOf([newest, old])
const imported = { tenantId: app.tenantId, userId: admin.userId }
await database.execute(
  `insert into users.legacy_passwords (tenant_id, user_id, form, sealed_hash, created_at)
   values ($1, $2, 'md5', $3, now())`,
  [
    ...Object.values(imported),
    secretsOf([old]).seal('a hash', `users.legacy_passwords ${Object.values(imported).join(' ')}`),
  ],
)

await database.execute('insert into store.trial_keys (tenant_id, sealed_key) values ($1, $2)', [
  app.tenantId,
  secretsOf([old]).seal('a key', `store.trial_keys ${app.tenantId}`),
])

const byHand = { delivery: 'manual', provisioning: null, instructions: 'Note it.', promiseHours: 1 }
const { plan } = await catalog.offer({}, byHand)
const customer = await shop.customer()
await shop.buy(customer, plan.id)
const task = await until('staff are asked to deliver', async () => {
  const { body } = await admin.get('/v1/admin/tasks?state=pending')
  return body.data[0]
})
await admin.post(`/v1/admin/tasks/${task.id}/done`, {
  details: [{ label: 'Password', value: 'a secret', secret: true }],
})

const bySystem = {
  delivery: 'webhook',
  provisioning: null,
  webhook: { url: 'https://1.1.1.1/deliver' },
}
const { id: productId } = await catalog.product(bySystem)
const secretUrl = `/v1/admin/products/${productId}/delivery/secret`
// The second one keeps the first for a day.
for (const _ of [1, 2]) assert.equal((await admin.post(secretUrl)).status, 200)

/** What is gone within minutes, and not worth sealing anew. */
const SHORT_LIVED = ['users.connection_starts.sealed_verifier']

/** Every sealed text of the database, by its column. */
async function sealedTexts(): Promise<Map<string, string[]>> {
  const { rows } = await database.execute(`
    select c.table_schema || '.' || c.table_name as name, c.column_name as column
    from information_schema.columns c join information_schema.tables t
      on (t.table_schema, t.table_name) = (c.table_schema, c.table_name)
    where c.column_name like 'sealed\\_%' and t.table_type = 'BASE TABLE'`)
  const found = new Map<string, string[]>()
  for (const { name, column } of rows) {
    const place = `${name}.${column}`
    if (SHORT_LIVED.includes(place)) continue
    const { rows: texts } = await database.execute(
      `select ${column} as text from ${name} where ${column} is not null`,
    )
    found.set(
      place,
      texts.map(({ text }) => String(text)),
    )
  }
  return found
}

test('a text that no key opens is named, and stays as it was', async () => {
  const { sealed, unreadable } = await reseal(database, secretsOf([newest]))
  assert.equal(sealed, 0)
  assert.ok(unreadable.some((it) => it.startsWith('panel.nodes ')))
  assert.ok(unreadable.some((it) => it.includes('connections.discordClientSecret')))
})

test('everything sealed opens with the new key alone, and a second run finds nothing to do', async () => {
  const before = await sealedTexts()
  for (const [place, texts] of before) assert.ok(texts.length > 0, `${place} is not tried`)
  const { sealed, unreadable } = await reseal(database, both)
  assert.deepEqual(unreadable, [])
  assert.equal(sealed, [...before.values()].flat().length + 1)
  for (const [place, texts] of await sealedTexts()) {
    for (const text of texts) assert.ok(text.startsWith(`${both.keyId}.`), place)
  }
  const { rows } = await database.execute(
    `select values ->> 'discordClientSecret' as text from tenants.settings where section = 'connections'`,
  )
  assert.ok(String(rows[0]?.text).startsWith(`${both.keyId}.`))
  assert.deepEqual(await reseal(database, both), { sealed: 0, unreadable: [] })
  assert.deepEqual(await reseal(database, secretsOf([newest])), { sealed: 0, unreadable: [] })
})

test('every column with sealed text belongs to an area that has it sealed anew', async () => {
  const declared = areas
    .flatMap(({ sealed }) => sealed ?? [])
    .map(({ table, column }) => `${table}.${column.replace(/[A-Z]/g, '_$&').toLowerCase()}`)
  assert.deepEqual(declared.sort(), [...(await sealedTexts()).keys()].sort())
})
