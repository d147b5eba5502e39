import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_MS, later } from '#lib/time.ts'
import { type TestApp, testApp } from '#test/app.ts'
import type { Client } from '#test/client.ts'
import { faults, imported } from '#test/imports.ts'
import { apiKey, person } from '#test/people.ts'
import { shopOf } from '#test/shop.ts'
import { smallDump, type WhmcsRows } from '#test/small-whmcs.ts'

type Cells = Record<string, string | number | null>
type Customer = {
  readonly id: number
  readonly service?: Cells
  readonly client?: Cells
  /** The lines of an invoice that was paid before. */
  readonly paid?: Readonly<Record<string, string>>
}

/** A shop with prices without tax and a rate of 20 %, and what staff sees of it. */
async function shop() {
  const app = await testApp(null)
  const admin = await apiKey(app, await person(app, { admin: true }), { permission: 'read-write' })
  await shopOf(admin).taxRate()
  const gateway = await admin.post('/v1/admin/gateways', {
    ...{ driver: 'bank_transfer', name: 'Transfer', mode: 'live', enabled: true, position: 9 },
    settings: { holder: 'Host GmbH', iban: 'DE02120300000000202051' },
  })
  assert.equal(gateway.status, 201, gateway.text)
  return { app, admin }
}

/** The dump of a WHMCS with these customers, each with a service that is due in five days. */
function dumpOf({ deps }: TestApp, customers: Readonly<Record<string, Customer>>, also: WhmcsRows) {
  const day = (days: number) => later(deps.clock.now(), days * DAY_MS).slice(0, 10)
  const all = Object.entries(customers)
  const paid = all.flatMap(([, { id, paid }]) =>
    paid ? [{ id, lines: Object.entries(paid) }] : [],
  )
  return smallDump({
    tblclients: all.map(([name, { id, client }]) => ({
      ...{ id, email: `${name}@example.com`, firstname: name, credit: '200.00' },
      ...client,
    })),
    tblhosting: all.map(([name, { id, service }]) => ({
      ...{ id, userid: id, domain: name, nextduedate: day(5) },
      ...service,
    })),
    tblinvoices: paid.map(({ id }) => ({
      ...{ id, userid: id, date: day(-30), duedate: day(-25), datepaid: day(-25), status: 'Paid' },
    })),
    tblinvoiceitems: paid.flatMap(({ id, lines }) =>
      lines.map(([type, amount], place) => ({
        ...{ id: id * 10 + place, invoiceid: id, userid: id, relid: id, type, amount },
      })),
    ),
    ...also,
  })
}

type Previewed = { email: string; newTotalCents: number; notices: string[] }

async function previewOf(admin: Client, id: string): Promise<Map<string, Previewed>> {
  const { body, status, text } = await admin.get(`/v1/admin/imports/${id}/preview?limit=100`)
  assert.equal(status, 200, text)
  return new Map(body.data.map((it: Previewed) => [it.email.split('@')[0], it]))
}

/** The totals of the renewals of each customer, oldest first. */
async function billedIn({ deps }: TestApp): Promise<Record<string, number[]>> {
  const { rows } = await deps.database.execute(
    `select split_part(person.email, '@', 1) as name,
       array_agg(invoice.total_cents::int order by invoice.id) as totals
     from billing.invoices as invoice join users.users as person on person.id = invoice.user_id
     where invoice.kind = 'renewal' group by 1`,
  )
  return Object.fromEntries(rows.map(({ name, totals }) => [name, totals]))
}

/** Lets days pass, half of one at a time. */
async function pass(app: TestApp, days: number): Promise<void> {
  for (let left = days * 2; left > 0; left -= 1) await app.advance(43_200)
  await app.advance(60)
}

const HELD = { promoid: 2, amount: '9.00' }

test('what was sold without tax there costs the same here, and a limited discount ends', async () => {
  const { app, admin } = await shop()
  const customers: Record<string, Customer> = {
    plain: { id: 1 },
    untaxed: { id: 2, service: { packageid: 2, amount: '9.99' } },
    exempt: { id: 3, client: { taxexempt: 1 } },
    // Twice in all, and once by now: once more.
    limited: { id: 4, service: HELD, paid: { Hosting: '10.00', PromoHosting: '-1.00' } },
    endless: {
      ...{ id: 5, service: { ...HELD, promoid: 1 } },
      paid: { Hosting: '10.00', PromoHosting: '-1.00' },
    },
    unclear: { id: 6, service: HELD, paid: { Hosting: '9.00' } },
    group: {
      ...{ id: 7, client: { groupid: 1 }, service: HELD },
      paid: { Hosting: '10.00', PromoHosting: '-1.00', GroupDiscount: '-0.90' },
    },
  }
  const content = dumpOf(app, customers, {
    tblproducts: [{}, { id: 2, name: 'Voucher', tax: 0 }],
    tblpricing: [{}, { id: 2, relid: 2 }],
    tblclientgroups: [{ discountpercent: '10.00' }],
    tblpromotions: [{}, { id: 2, code: 'TWICE', recurfor: 1 }],
  })
  const { id, status, report } = await imported(app, content)
  assert.equal(status, 'completed', JSON.stringify(report.differences))
  const untaxed = report.warnings.find(({ code }) => code === 'untaxed_product')
  assert.deepEqual(untaxed?.rows, ['2'])
  const refused = await admin.post(`/v1/admin/imports/${id}/begin-renewals`, {})
  assert.deepEqual(
    refused.body.details?.map(({ path }: { path: string }) => path),
    ['price'],
  )
  const made = await admin.put(`/v1/admin/imports/${id}/decisions`, { price: 'keep_total' })
  assert.equal(made.status, 200, made.text)
  const previewed = await previewOf(admin, id)
  const totals = Object.fromEntries([...previewed].map(([name, it]) => [name, it.newTotalCents]))
  assert.deepEqual(totals, {
    ...{ plain: 1200, untaxed: 998, exempt: 1000, limited: 1080, endless: 1080, unclear: 1080 },
    group: 972,
  })
  assert.ok(previewed.get('unclear')?.notices.includes('promotion_unclear'))
  assert.ok(previewed.get('untaxed')?.notices.includes('price_converted'))
  assert.ok(!previewed.get('plain')?.notices.includes('price_converted'))
  assert.equal((await admin.post(`/v1/admin/imports/${id}/begin-renewals`, {})).status, 200)
  await pass(app, 58)
  assert.deepEqual(await billedIn(app), {
    ...{ plain: [1200, 1200], untaxed: [998, 998], exempt: [1000, 1000] },
    ...{ limited: [1080, 1200], endless: [1080, 1080], unclear: [1080, 1080], group: [972, 1080] },
  })
  const { rows } = await app.deps.database.execute(
    `select count(*)::int as kept, sum(abs(expected.total_cents - invoice.total_cents))::int as cents
     from imports.expected_invoices as expected
     join services.periods as period on period.service_id = expected.service_id
       and period.starts_at = expected.starts_at
     join billing.invoices as invoice on invoice.id = period.invoice_id`,
  )
  assert.deepEqual(rows, [{ kept: 14, cents: 0 }])
  assert.deepEqual(await faults(app), [])
})

test('a total that no price without tax adds up to becomes a cent less, never more', async () => {
  const { app, admin } = await shop()
  const paid = Array.from({ length: 60 }, (_, index) => 480 + index)
  const customers = Object.fromEntries(
    paid.map((gross, index) => {
      const isDiscounted = index % 3 === 2
      const amount = (gross / 100).toFixed(2)
      const service = { amount, ...(isDiscounted && { promoid: 1 }) }
      // A discount of 10 % next to the full amount.
      const lines = { Hosting: amount, PromoHosting: (-Math.round(gross / 10) / 100).toFixed(2) }
      return [`p${gross}`, { id: index + 1, service, ...(isDiscounted && { paid: lines }) }]
    }),
  )
  const content = dumpOf(app, customers, {
    tblconfiguration: [{}, { setting: 'TaxType', value: 'Inclusive' }],
    tblpromotions: [{}],
  })
  const { id } = await imported(app, content)
  const made = await admin.put(`/v1/admin/imports/${id}/decisions`, { price: 'keep_total' })
  assert.equal(made.status, 200, made.text)
  const previewed = await previewOf(admin, id)
  const lower: number[] = []
  for (const [index, gross] of paid.entries()) {
    const before = index % 3 === 2 ? gross - Math.round(gross / 10) : gross
    const now = previewed.get(`p${gross}`)?.newTotalCents ?? 0
    assert.ok(now <= before && now >= before - 1, `${before} became ${now}`)
    if (now < before) lower.push(gross)
  }
  // With 20 % of tax, one of six whole amounts is no sum of a net amount and its tax.
  assert.ok(lower.length > 0 && lower.length <= 20, `${lower}`)
})
