import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#lib/id.ts'
import { boundary } from '#lib/periods.ts'
import { DAY_MS, type Instant, later } from '#lib/time.ts'
import { testApp } from '#test/app.ts'
import { faults, imported } from '#test/imports.ts'
import { apiKey, person } from '#test/people.ts'
import { shopOf } from '#test/shop.ts'
import { smallDump, type WhmcsRows } from '#test/small-whmcs.ts'

const app = await testApp(null)
const { clock, database } = app.deps
const owner = await person(app, { admin: true })
// Sessions end long before two months are over.
const admin = await apiKey(app, owner, { permission: 'read-write' })
await shopOf(admin).taxRate()
const gateway = await admin.post('/v1/admin/gateways', {
  ...{ driver: 'bank_transfer', name: 'Transfer', mode: 'live', enabled: true, position: 9 },
  settings: { holder: 'Host GmbH', iban: 'DE02120300000000202051' },
})
assert.equal(gateway.status, 201, gateway.text)

const MONTH = { interval: 'month', intervalCount: 1 } as const
/** Midnight, so many days from now. */
const at = (days: number) =>
  `${later(clock.now(), days * DAY_MS).slice(0, 10)}T00:00:00.000Z` as Instant
const day = (instant: Instant) => instant.slice(0, 10)
/** Due in five days, and ten days ago. */
const [SOON, PAST] = [at(5), at(-10)]

/** A customer with one service, as its rows stand in the dump. */
type Customer = {
  readonly service?: Record<string, string | number | null>
  readonly client?: Record<string, string | number>
  /** Amounts of the lines of an open invoice, by their types. */
  readonly open?: Readonly<Record<string, string>>
  readonly openDue?: Instant
}

const customers: Readonly<Record<string, Customer>> = {
  ahead: { open: { Hosting: '10.00' } },
  neglected: { open: { Hosting: '10.00' } },
  early: { open: { Hosting: '10.00' } },
  overdue: { service: { nextduedate: day(PAST) }, open: { Hosting: '10.00' }, openDue: PAST },
  suspended: {
    service: {
      ...{ nextduedate: day(PAST), domainstatus: 'Suspended' },
      suspendreason: 'Overdue on Payment',
    },
    open: { Hosting: '10.00' },
    openDue: PAST,
  },
  abuser: {
    service: { domainstatus: 'Suspended', suspendreason: 'Attacked others' },
    open: { Hosting: '10.00' },
  },
  leaver: {},
  friend: { client: { groupid: 1 } },
  promoted: { service: { promoid: 1 }, open: { Hosting: '10.00', PromoHosting: '-1.00' } },
  reduced: {
    service: { promoid: 1, amount: '9.00' },
    open: { Hosting: '10.00', PromoHosting: '-1.00' },
  },
  saver: { service: { billingcycle: 'Annually' }, open: { AddFunds: '25.00' } },
  plain: {},
}
const names = Object.keys(customers)
const idOf = (name: string) => names.indexOf(name) + 1

function dump(): Buffer {
  const invoices: WhmcsRows[string][number][] = []
  const items: WhmcsRows[string][number][] = []
  for (const [name, { open, openDue = SOON }] of Object.entries(customers)) {
    if (!open) continue
    const [id, due] = [idOf(name), day(openDue)]
    const total = Object.values(open).reduce((sum, it) => sum + Number(it), 0)
    const tax = (total * 0.2).toFixed(2)
    const amounts = { subtotal: total.toFixed(2), tax, total: (total * 1.2).toFixed(2) }
    invoices.push({
      id,
      userid: id,
      date: day(at(-20)),
      duedate: due,
      taxrate: '20.000',
      ...amounts,
    })
    for (const [type, amount] of Object.entries(open)) {
      const line = { id: items.length + 1, invoiceid: id, userid: id, relid: id, taxed: 1 }
      items.push({ ...line, type, amount, description: type })
    }
  }
  return smallDump({
    tblclients: names.map((name) => ({
      ...{ id: idOf(name), email: `${name}@example.com`, firstname: name },
      ...customers[name]?.client,
    })),
    tblclientgroups: [{ discountpercent: '10.00' }],
    tblpromotions: [{}],
    tblhosting: names.map((name) => ({
      ...{ id: idOf(name), userid: idOf(name), domain: name, nextduedate: day(SOON) },
      ...customers[name]?.service,
    })),
    tblcancelrequests: [{ relid: idOf('leaver') }],
    tblinvoices: invoices,
    tblinvoiceitems: items,
  })
}

type Service = Record<'id' | 'userId' | 'invoiceId', string> & {
  periodEnd: Instant
  reasons: string[]
  renewals: number
}

/** A customer's service, their imported invoice, and the renewals that were invoiced here. */
async function serviceOf(name: string): Promise<Service> {
  const { rows } = await database.execute(
    `select service.id, service.user_id as "userId", service.current_period_end as "periodEnd",
       service.suspend_reasons as reasons,
       (select id from billing.invoices where user_id = service.user_id and imported is not null)
         as "invoiceId",
       (select count(*)::int from billing.invoices where user_id = service.user_id and kind = 'renewal')
         as renewals
     from services.services as service where service.name = $1`,
    [name],
  )
  const [row] = rows
  return {
    ...(row as Service),
    periodEnd: new Date(row?.periodEnd as string).toISOString() as Instant,
  }
}

async function pay(name: string): Promise<void> {
  const { invoiceId } = await serviceOf(name)
  const how = { gatewayId: gateway.body.id, reference: newId() }
  const { status, text } = await admin.post(`/v1/admin/invoices/${invoiceId}/mark-paid`, how)
  assert.equal(status, 200, text)
}

/** What renewals of a customer's service cost here, without tax, oldest first. */
async function renewalsOf(name: string): Promise<number[]> {
  const { userId } = await serviceOf(name)
  const { rows } = await database.execute(
    `select net_cents from billing.invoices where user_id = $1 and kind = 'renewal' order by id`,
    [userId],
  )
  return rows.map((it) => Number(it.net_cents))
}

/** Lets days pass, half of one at a time. */
async function pass(days: number): Promise<void> {
  for (let left = days * 2; left > 0; left -= 1) await app.advance(43_200)
  await app.advance(60)
  await app.advance(60)
}

let importId = ''

test('a product without a stock limit has none after an import (F43)', async () => {
  const done = await imported(app, dump())
  assert.equal(done.status, 'completed', JSON.stringify([done.fault, done.report]))
  importId = done.id
  const { body } = await admin.get('/v1/admin/products?limit=10')
  assert.deepEqual(
    body.data.map((it: { stock: unknown }) => it.stock),
    [null],
  )
})

test('before renewals begin, nothing is billed and an old invoice can be paid', async () => {
  await pay('early')
  await pass(1)
  for (const name of names) assert.equal((await serviceOf(name)).renewals, 0, name)
})

type Preview = Record<'email' | 'whyNot' | 'invoiceAt', string | null> & {
  notices: string[]
  newNetCents: number
}
let previewed: ReadonlyMap<string, Preview> = new Map()

test('a preview lists who will be billed, when and how much, and who will not be billed and why', async () => {
  const url = `/v1/admin/imports/${importId}/preview`
  const first = await admin.get(`${url}?limit=7`)
  assert.equal(first.status, 200, first.text)
  const second = await admin.get(`${url}?limit=7&cursor=${first.body.nextCursor}`)
  const rows: Preview[] = [...first.body.data, ...second.body.data]
  previewed = new Map(rows.map((it) => [it.email?.split('@')[0] ?? '', it]))
  assert.deepEqual([previewed.size, second.body.nextCursor], [12, null])
  assert.deepEqual(first.body.setUp, [{ code: 'servers_not_linked', count: 12 }])
  assert.equal(previewed.get('leaver')?.whyNot, 'end_wanted')
  assert.ok(previewed.get('ahead')?.notices.includes('invoiced_there'))
  assert.ok(previewed.get('abuser')?.notices.includes('suspended_by_staff'))
  assert.ok(previewed.get('friend')?.notices.includes('group_discount'))
  assert.ok(previewed.get('plain')?.invoiceAt?.startsWith(day(later(SOON, -7 * DAY_MS))))
  const csv = await admin.get(`${url}/csv`)
  assert.equal(csv.text.trim().split('\r\n').length, 13)
  assert.match(csv.text, /leaver@example\.com,leaver,false,end_wanted,/)
})

test('renewals begin after the last period that the old system has invoiced', async () => {
  const url = `/v1/admin/imports/${importId}/begin-renewals`
  const { status, body, text } = await admin.post(url, { runningPeriods: 'leave' })
  assert.equal(status, 200, text)
  assert.deepEqual(body, {
    ...{ begun: 12, movedOn: 0, invoicedThere: 8, ending: 1, converted: 0, catalogConverted: 0 },
  })
  const none = {
    ...{ begun: 0, movedOn: 0, invoicedThere: 0, ending: 0 },
    ...{ converted: 0, catalogConverted: 0 },
  }
  assert.deepEqual((await admin.post(url, {})).body, none)
})

test('an invoice that covers the next period is its renewal: paying it pays the period', async () => {
  await pay('ahead')
  await pay('promoted')
  await pass(6)
  const end = boundary(SOON, MONTH, 1)
  for (const name of ['ahead', 'early', 'promoted']) {
    const { periodEnd, renewals } = await serviceOf(name)
    assert.deepEqual([periodEnd, renewals], [end, 0], name)
  }
})

test('an overdue imported invoice is dunned here, and paying it pays its period', async () => {
  const before = await serviceOf('overdue')
  assert.deepEqual([before.periodEnd, before.reasons, before.renewals], [PAST, ['unpaid'], 0])
  for (const name of ['overdue', 'suspended']) {
    await pay(name)
    await app.eventually(`the period of ${name}`, async () => {
      const { periodEnd, reasons } = await serviceOf(name)
      return periodEnd === boundary(PAST, MONTH, 1) && reasons.length === 0
    })
  }
  await pay('abuser')
  assert.deepEqual((await serviceOf('abuser')).reasons, ['admin'])
})

test('a service with a request to cancel is not billed, and ends', async () => {
  const { rows } = await database.execute(
    'select end_wanted_at, ended_at from services.services where name = $1',
    ['leaver'],
  )
  assert.ok(rows[0]?.end_wanted_at ?? rows[0]?.ended_at)
  assert.equal((await serviceOf('leaver')).renewals, 0)
})

test('an unpaid service is suspended and terminated, the old invoice is written off, and no period is billed twice', async () => {
  await pass(30)
  // The days until its suspension stay due, as for an invoice of this shop.
  const ended = await app.eventually('the end of the service', async () => {
    const { rows } = await database.execute(
      `select invoice.status, service.end_reason as reason,
         (invoice.total_cents - invoice.credited_cents)::int as due
       from services.services as service
       join billing.invoices as invoice
         on invoice.user_id = service.user_id and invoice.imported is not null
       where service.name = 'neglected' and service.ended_at is not null`,
    )
    return rows[0]
  })
  assert.deepEqual([ended.status, ended.reason], ['open', 'unpaid'])
  assert.ok(Number(ended.due) > 0 && Number(ended.due) < 300, `${ended.due}`)
  const expected = {
    ahead: [1000],
    early: [1000],
    overdue: [1000],
    suspended: [1000],
    plain: [1000],
    friend: [900],
    promoted: [900],
    leaver: [],
    neglected: [],
    saver: [1000],
  }
  for (const [name, amounts] of Object.entries(expected)) {
    assert.deepEqual(await renewalsOf(name), amounts, name)
    const [first] = amounts
    if (first) assert.equal(previewed.get(name)?.newNetCents, first, name)
  }
})

test('an imported invoice for credit adds the credit once it is paid', async () => {
  await pay('saver')
  const { userId } = await serviceOf('saver')
  const { rows } = await database.execute(
    `select balance_cents from ledger.balances as balance
     join ledger.accounts as account on account.id = balance.account_id where account.code = $1`,
    [`credit:${userId}`],
  )
  assert.deepEqual(
    rows.map((it) => -Number(it.balance_cents)),
    [3000],
  )
  assert.deepEqual(await faults(app), [])
})
