import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_MS, later } from '#lib/time.ts'
import { type TestApp, testApp } from '#test/app.ts'
import type { Client } from '#test/client.ts'
import { DECIDED, faults, imported } from '#test/imports.ts'
import { apiKey, person } from '#test/people.ts'
import { shopOf } from '#test/shop.ts'
import { smallFossbilling } from '#test/small-fossbilling.ts'
import { smallPaymenter } from '#test/small-paymenter.ts'

const NAMES = ['plain', 'leaver', 'goer', 'subscriber', 'unnamed', 'former'] as const
type Name = (typeof NAMES)[number]
const idOf = (name: Name) => NAMES.indexOf(name) + 1

async function shop(): Promise<{ app: TestApp; admin: Client; due: string }> {
  const app = await testApp(null)
  const admin = await apiKey(app, await person(app, { admin: true }), { permission: 'read-write' })
  await shopOf(admin).taxRate()
  const due = `${later(app.deps.clock.now(), 5 * DAY_MS).slice(0, 10)} 12:00:00`
  return { app, admin, due }
}

/** The rows of a warning, by the names of their customers. */
function warned(report: { warnings: { code: string; rows: string[] }[] }, code: string): Name[] {
  const rows = report.warnings.find((it) => it.code === code)?.rows ?? []
  return rows.map((id) => NAMES[Number(id) - 1] as Name)
}

/** How many renewals of each customer were invoiced within 40 days. */
async function renewals({ app }: { app: TestApp }): Promise<Record<string, number>> {
  for (let left = 80; left > 0; left -= 1) await app.advance(43_200)
  const { rows } = await app.deps.database.execute(
    `select split_part(person.email, '@', 1) as name, count(invoice.id)::int as count
     from users.users as person left join billing.invoices as invoice
       on invoice.user_id = person.id and invoice.kind = 'renewal'
     where person.email like '%@example.com' group by 1`,
  )
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]))
}

/** The decisions without which renewals do not begin, and those of the preview about each customer. */
async function begun(admin: Client, id: string) {
  const url = `/v1/admin/imports/${id}`
  const refused = await admin.post(`${url}/begin-renewals`, { gateways: DECIDED.gateways })
  assert.deepEqual([refused.status, refused.body.code], [409, 'decisions_missing'], refused.text)
  const missing = refused.body.details.map(({ path }: { path: string }) => path)
  const { body } = await admin.get(`${url}/preview?limit=100`)
  const told = body.data.map((it: { email: string; whyNot: string; notices: string[] }) => [
    it.email.split('@')[0],
    it.whyNot ?? (it.notices.includes('subscription_elsewhere') ? 'subscription' : 'billed'),
  ])
  const made = { ...DECIDED, price: 'keep_amount', subscriptions: 'canceled' }
  const { status, text } = await admin.post(`${url}/begin-renewals`, made)
  assert.equal(status, 200, text)
  return { missing, told: Object.fromEntries(told) }
}

test('requests to cancel and subscriptions of Paymenter keep customers from being billed twice', async () => {
  const { app, admin, due } = await shop()
  const kinds = NAMES.slice(0, 4)
  const dump = smallPaymenter({
    users: kinds.map((name) => ({ id: idOf(name), email: `${name}@example.com` })),
    properties: kinds.map((name) => ({
      ...{ id: idOf(name), model_type: 'App\\Models\\User', model_id: idOf(name) },
      ...{ key: 'country', value: 'FR' },
    })),
    plans: [{ id: 1, billing_period: 1, billing_unit: 'month' }],
    prices: [{ id: 1, plan_id: 1, price: '10.00' }],
    orders: kinds.map((name) => ({ id: idOf(name), user_id: idOf(name) })),
    services: kinds.map((name) => ({
      ...{ id: idOf(name), order_id: idOf(name), user_id: idOf(name), plan_id: 1 },
      ...{ price: '10.00', expires_at: due },
      subscription_id: name === 'subscriber' ? 'I-ABC' : null,
    })),
    service_cancellations: [
      { id: 1, service_id: idOf('leaver'), type: 'end_of_period', created_at: due },
      { id: 2, service_id: idOf('goer'), type: 'immediate', created_at: due },
    ],
  })
  const { id, status, report } = await imported(app, dump)
  assert.equal(status, 'completed', JSON.stringify(report.differences))
  assert.deepEqual(warned(report, 'end_wanted'), ['leaver', 'goer'])
  assert.deepEqual(warned(report, 'subscription_elsewhere'), ['subscriber'])
  const { missing, told } = await begun(admin, id)
  assert.ok(missing.includes('subscriptions'), String(missing))
  assert.deepEqual(told, {
    ...{ plain: 'billed', leaver: 'end_wanted', goer: 'end_wanted', subscriber: 'subscription' },
  })
  assert.deepEqual(await renewals({ app }), { plain: 1, leaver: 0, goer: 0, subscriber: 1 })
  const { rows } = await app.deps.database.execute(
    `select count(*)::int as ended from services.services as service
     join users.users as person on person.id = service.user_id
     where person.email in ('leaver@example.com', 'goer@example.com') and service.ended_at is not null`,
  )
  assert.equal(rows[0]?.ended, 2)
  assert.deepEqual(await faults(app), [])
})

test('a subscription of FOSSBilling that still charges holds back renewals, also one that a newer dump brings', async () => {
  const { app, admin, due } = await shop()
  const kinds = ['plain', 'subscriber', 'unnamed', 'former'] as const
  const dump = (subscribed: readonly Name[]) =>
    smallFossbilling({
      client: kinds.map((name) => ({ id: idOf(name), email: `${name}@example.com` })),
      client_order: kinds.map((name) => ({
        ...{ id: idOf(name), client_id: idOf(name), expires_at: due },
      })),
      invoice: kinds.map((name) => ({ id: idOf(name), client_id: idOf(name), nr: idOf(name) })),
      invoice_item: kinds.map((name) => ({
        ...{ id: idOf(name), invoice_id: idOf(name), rel_id: String(idOf(name)) },
      })),
      subscription: subscribed.map((name) => ({
        ...{ id: idOf(name), client_id: idOf(name), sid: `sub_${name}` },
        rel_id: name === 'unnamed' ? null : idOf(name),
        rel_type: name === 'unnamed' ? null : 'invoice',
        status: name === 'former' ? 'canceled' : 'active',
      })),
    })
  const first = await imported(app, dump(['subscriber', 'former']))
  assert.equal(first.status, 'completed', JSON.stringify(first.report.differences))
  assert.deepEqual(warned(first.report, 'subscription_elsewhere'), ['subscriber'])
  const newer = await imported(app, dump(['subscriber', 'unnamed', 'former']))
  assert.deepEqual(warned(newer.report, 'subscription_elsewhere'), ['unnamed'])
  const { missing, told } = await begun(admin, first.id)
  assert.ok(missing.includes('subscriptions'), String(missing))
  assert.deepEqual(told, {
    ...{ plain: 'billed', subscriber: 'subscription', unnamed: 'subscription', former: 'billed' },
  })
  assert.deepEqual(await faults(app), [])
})
