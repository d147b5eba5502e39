import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { newId } from '#lib/id.ts'
import { boundary } from '#lib/periods.ts'
import { DAY_MS, type Instant, later } from '#lib/time.ts'
import { testApp } from '#test/app.ts'
import { faults, imported } from '#test/imports.ts'
import { apiKey, person } from '#test/people.ts'
import { keepSettings } from '#test/settings.ts'
import { shopOf } from '#test/shop.ts'
import { smallDump, type WhmcsRows } from '#test/small-whmcs.ts'

const app = await testApp(null)
const { clock, database } = app.deps
const owner = await person(app, { admin: true })
const admin = await apiKey(app, owner, { permission: 'read-write' })
await shopOf(admin).taxRate()
await keepSettings(app, 'services', { unpaidRenewal: 'write_off' })
const gateway = await admin.post('/v1/admin/gateways', {
  ...{ driver: 'bank_transfer', name: 'Transfer', mode: 'live', enabled: true, position: 9 },
  settings: { holder: 'Host GmbH', iban: 'DE02120300000000202051' },
})

const MONTH = { interval: 'month', intervalCount: 1 } as const
const PASSWORD = 'engine'
const password = createHash('md5').update(PASSWORD).digest('hex')
const at = (days: number) =>
  `${later(clock.now(), days * DAY_MS).slice(0, 10)}T00:00:00.000Z` as Instant
const day = (instant: Instant) => instant.slice(0, 10)
const [SOON, PAST] = [at(5), at(-25)]
const ISSUED = day(at(-30))
const NEXT = boundary(SOON, MONTH, 1)

type Cells = Record<string, string | number | null>
type Document = {
  readonly id: number
  readonly lines: Readonly<Record<string, string>>
  readonly due?: Instant
  readonly cells?: Cells
  /** What was paid of it while it was open. */
  readonly part?: string
}
/** A customer with a service, both with the same id as in the dump. */
type Customer = {
  readonly id: number
  readonly service?: Cells
  readonly client?: Cells
  readonly cancels?: true
  readonly invoices?: readonly Document[]
}

/** The dump of a shop with these customers. */
function dumpOf(customers: Readonly<Record<string, Customer>>): Buffer {
  const all = Object.entries(customers)
  const documents = all.flatMap(([, { id, invoices = [] }]) =>
    invoices.map((it) => ({ ...it, userid: id })),
  )
  const invoices: WhmcsRows[string][number][] = []
  const items: WhmcsRows[string][number][] = []
  for (const { id, userid, lines, due = SOON, cells } of documents) {
    const total = Object.values(lines).reduce((sum, it) => sum + Number(it), 0)
    const amounts = { subtotal: total.toFixed(2), tax: (total * 0.2).toFixed(2) }
    const dates = { date: ISSUED, duedate: day(due), taxrate: '20.000' }
    invoices.push({ id, userid, ...dates, ...amounts, total: (total * 1.2).toFixed(2), ...cells })
    for (const [place, [type, amount]] of Object.entries(lines).entries()) {
      const line = { id: id * 10 + place, invoiceid: id, userid, relid: userid, taxed: 1 }
      items.push({ ...line, type, amount, description: type })
    }
  }
  return smallDump({
    tblcurrencies: [{}, { id: 2, code: 'USD', default: 0 }],
    tblclients: all.map(([name, { id, client }]) => ({
      ...{ id, email: `${name}@example.com`, firstname: name, password },
      ...client,
    })),
    tblclientgroups: [{ discountpercent: '10.00' }],
    tblpromotions: [
      {},
      { id: 2, code: 'FIVE', type: 'Fixed Amount', value: '5.00' },
      { id: 3, code: 'TWICE', recurfor: 1 },
    ],
    tblhosting: all.map(([name, { id, service }]) => ({
      ...{ id, userid: id, domain: name, nextduedate: day(SOON) },
      ...service,
    })),
    tblcancelrequests: all.flatMap(([, { id, cancels }]) => (cancels ? [{ id, relid: id }] : [])),
    tblinvoices: invoices,
    tblinvoiceitems: items,
    tblaccounts: documents.flatMap(({ id, userid, lines, cells, part }) => {
      if (cells?.status !== 'Paid' && !part) return []
      const total = Object.values(lines).reduce((sum, it) => sum + Number(it), 0)
      const amountin = part ?? (total * 1.2).toFixed(2)
      return [{ id, userid, invoiceid: id, amountin, transid: `t${id}` }]
    }),
  })
}

const OPEN = { Hosting: '10.00' }
const open = (id: number, lines: Document['lines'] = OPEN) => ({ id, lines })
const PAID = { status: 'Paid', datepaid: day(at(0)) }

const first: Readonly<Record<string, Customer>> = {
  renamed: { id: 1, invoices: [open(1)] },
  prepaid: { id: 17 },
  leaver: { id: 2, cancels: true, invoices: [open(2)] },
  payer: { id: 3, cancels: true, invoices: [open(3)] },
  mixed: { id: 4, invoices: [open(4, { Hosting: '10.00', Domain: '50.00' })] },
  neglected: { id: 5, invoices: [open(5, { Hosting: '10.00', Domain: '50.00' })] },
  abroad: {
    id: 6,
    client: { currency: 2 },
    service: { promoid: 2 },
    invoices: [
      { id: 6, lines: { Hosting: '10.00', PromoHosting: '-5.50' }, due: PAST, cells: PAID },
    ],
  },
  twice: {
    id: 7,
    service: { promoid: 3 },
    invoices: [
      { id: 7, lines: { Hosting: '10.00', PromoHosting: '-1.00' }, due: PAST, cells: PAID },
      {
        id: 8,
        lines: { Hosting: '10.00', PromoHosting: '-1.00' },
        due: PAST,
        cells: { status: 'Cancelled' },
      },
    ],
  },
  once: {
    id: 9,
    service: { promoid: 3 },
    invoices: [
      { id: 9, lines: { Hosting: '10.00', PromoHosting: '-1.00' }, due: PAST, cells: PAID },
      open(10, { Hosting: '10.00', PromoHosting: '-1.00' }),
    ],
  },
  raised: {
    id: 11,
    service: { promoid: 1, amount: '12.00' },
    invoices: [
      { id: 11, lines: { Hosting: '10.00', PromoHosting: '-1.00' }, due: PAST, cells: PAID },
    ],
  },
  saver: {
    id: 12,
    service: { billingcycle: 'Annually' },
    invoices: [{ ...open(12, { AddFunds: '25.00' }), cells: { status: 'Draft' } }],
  },
  dropped: { id: 13, invoices: [open(13)] },
  settled: { id: 14, invoices: [open(14)] },
  renewing: { id: 15, client: { credit: '100.00' } },
  old: { id: 16, invoices: [open(16)] },
  friend: { id: 18, client: { groupid: 1 } },
  parted: { id: 30, invoices: [{ ...open(30), part: '5.00' }] },
  parting: { id: 31, cancels: true, invoices: [{ ...open(31), part: '5.00' }] },
  shared: {
    id: 32,
    invoices: [{ ...open(32, { Hosting: '10.00', Domain: '50.00' }), part: '65.00' }],
  },
  lapsing: { id: 33, invoices: [{ ...open(33), part: '5.00' }] },
}

/** Services that were given another name. */
const kept = new Map<string, string>()

type Service = Record<'id' | 'userId' | 'invoiceId', string> & {
  periodEnd: Instant
  endedAt: Instant | null
}

async function serviceOf(name: string): Promise<Service> {
  const { rows } = await database.execute(
    `select service.id, service.user_id as "userId", service.ended_at as "endedAt",
       service.current_period_end as "periodEnd",
       (select id from billing.invoices where user_id = service.user_id and imported is not null
         order by source_id desc limit 1) as "invoiceId"
     from services.services as service where service.name = $1 or service.id = $2`,
    [name, kept.get(name) ?? null],
  )
  const [row] = rows
  const moment = (it: unknown) => (it ? (new Date(it as string).toISOString() as Instant) : null)
  return {
    ...(row as Service),
    periodEnd: moment(row?.periodEnd) as Instant,
    endedAt: moment(row?.endedAt),
  }
}

/** How many periods of a service nobody has paid. */
async function unpaidOf(name: string): Promise<number> {
  const { rows } = await database.execute(
    `select count(*)::int as unpaid from services.periods
     where service_id = $1 and paid_at is null and voided_at is null`,
    [(await serviceOf(name)).id],
  )
  return Number(rows[0]?.unpaid)
}

async function pay(name: string): Promise<void> {
  const { invoiceId } = await serviceOf(name)
  const how = { gatewayId: gateway.body.id, reference: newId() }
  const { status, text } = await admin.post(`/v1/admin/invoices/${invoiceId}/mark-paid`, how)
  assert.equal(status, 200, text)
}

/** The status of the newest imported invoice of a customer, and what is left to be paid on it. */
async function owedBy(name: string): Promise<[string, number]> {
  const { invoiceId } = await serviceOf(name)
  const { rows } = await database.execute(
    `select status, (total_cents - credited_cents - paid_cents)::int as due
     from billing.invoices where id = $1`,
    [invoiceId],
  )
  return [String(rows[0]?.status), Number(rows[0]?.due)]
}

/** What renewals of a customer cost here, without tax, oldest first. */
async function renewalsOf(name: string): Promise<number[]> {
  const { userId } = await serviceOf(name)
  const { rows } = await database.execute(
    `select net_cents from billing.invoices where user_id = $1 and kind = 'renewal' order by id`,
    [userId],
  )
  return rows.map((it) => Number(it.net_cents))
}

async function creditOf(name: string): Promise<number> {
  const { userId } = await serviceOf(name)
  const { rows } = await database.execute(
    `select coalesce(-sum(balance_cents), 0)::int as credit from ledger.balances as balance
     join ledger.accounts as account on account.id = balance.account_id where account.code = $1`,
    [`credit:${userId}`],
  )
  return Number(rows[0]?.credit)
}

async function signedIn(name: string) {
  const email = `${name}@example.com`
  const { status, body, text } = await app.post('/v1/auth/login', { email, password: PASSWORD })
  assert.equal(status, 200, text)
  return app.as(body.accessToken)
}

/** Lets days pass, half of one at a time. */
async function pass(days: number): Promise<void> {
  for (let left = days * 2; left > 0; left -= 1) await app.advance(43_200)
  await app.advance(60)
  await app.advance(60)
}

/** What an import said of rows of invoices that were known, by their reason. */
async function followed(customers: Readonly<Record<string, Customer>>) {
  const { status, fault, report } = await imported(app, dumpOf(customers))
  assert.equal(status, 'completed', JSON.stringify([fault, report?.differences]))
  const reasons = report.resources.invoices?.reasons ?? []
  const told = reasons.map((it) => [it.code, it.rows.map(({ id }) => Number(id))])
  return { ...Object.fromEntries(told), warnings: report.warnings }
}

const second: Readonly<Record<string, Customer>> = {
  ...first,
  renamed: {
    id: 1,
    service: { nextduedate: day(NEXT) },
    invoices: [{ ...open(1), cells: PAID }],
  },
  prepaid: {
    id: 17,
    service: { nextduedate: day(NEXT) },
    invoices: [{ ...open(20), cells: PAID }],
  },
  saver: {
    id: 12,
    service: { billingcycle: 'Annually' },
    invoices: [{ ...open(12, { AddFunds: '25.00' }), cells: { status: 'Unpaid' } }],
  },
}

let importId = ''
let previewed: ReadonlyMap<string, number> = new Map()

test('renewals begin after changes here and a newer dump', async () => {
  const done = await imported(app, dumpOf(first))
  assert.equal(done.status, 'completed', JSON.stringify([done.fault, done.report]))
  importId = done.id
  for (const name of ['renamed', 'prepaid']) {
    const { id } = await serviceOf(name)
    const customer = await signedIn(name)
    const changed = await customer.patch(`/v1/services/${id}`, { name: 'Mine' })
    assert.equal(changed.status, 200, changed.text)
    kept.set(name, id)
  }
  const { updated } = await followed(second)
  assert.deepEqual(updated, [1, 12])
  await pay('payer')
  // As imports of earlier versions have written it.
  await database.execute(
    `update billing.invoices set imported = imported - 'state' where source_id = 16`,
  )
  const preview = await admin.get(`/v1/admin/imports/${importId}/preview?limit=100`)
  assert.equal(preview.status, 200, preview.text)
  previewed = new Map(
    preview.body.data.map((it: { email: string; newNetCents: number }) => [
      it.email.split('@')[0],
      it.newNetCents,
    ]),
  )
  const begun = await admin.post(`/v1/admin/imports/${importId}/begin-renewals`, {})
  assert.equal(begun.status, 200, begun.text)
  await pass(1)
})

test('a newer dump leaves what renews here as it is, unless it was paid there', async () => {
  const { warnings, ...told } = await followed({
    ...second,
    dropped: { id: 13, invoices: [{ ...open(13), cells: { status: 'Cancelled' } }] },
    settled: {
      id: 14,
      service: { nextduedate: day(NEXT) },
      invoices: [{ ...open(14), cells: PAID }],
    },
    renewing: { id: 15, client: { credit: '100.00' }, invoices: [open(21)] },
  })
  assert.deepEqual([told.updated, told.changed_here], [[14], [13]])
  assert.deepEqual(await owedBy('dropped'), ['open', 1200])
  assert.deepEqual(await owedBy('settled'), ['paid', 0])
  assert.equal(await unpaidOf('settled'), 0)
  const renews = warnings.find(({ code }: { code: string }) => code === 'renews_here')
  assert.deepEqual(renews?.rows, ['21'])
})

test('who asked to cancel owes nothing for the time after it', async () => {
  assert.equal((await owedBy('leaver'))[0], 'uncollectible')
})

test('of an invoice for other things too, only the part of a service that is canceled is written off', async () => {
  const customer = await signedIn('mixed')
  const { id } = await serviceOf('mixed')
  const canceled = await customer.post(`/v1/services/${id}/cancel`, { at: 'period_end' })
  assert.ok(canceled.status < 300, canceled.text)
  await pass(1)
  assert.deepEqual(await owedBy('mixed'), ['open', 6000])
})

test('what was paid of an invoice there becomes credit with the service that is canceled', async () => {
  for (const name of ['parted', 'shared']) {
    const customer = await signedIn(name)
    const { id } = await serviceOf(name)
    const canceled = await customer.post(`/v1/services/${id}/cancel`, { at: 'period_end' })
    assert.ok(canceled.status < 300, canceled.text)
  }
  await pass(1)
  for (const name of ['parted', 'parting']) {
    assert.deepEqual([(await owedBy(name))[0], await creditOf(name)], ['uncollectible', 500], name)
  }
  // Of 72.00, 7.00 were due, and 12.00 were for the service.
  assert.deepEqual([(await owedBy('shared'))[0], await creditOf('shared')], ['uncollectible', 500])
})

test('a period is worth what it costs after the discounts of the old system', async () => {
  const { rows } = await database.execute(
    `select value_cents::int as value, (select sum(change_cents)::int from services.recurring
       where service_id = service.id) as monthly
     from services.services as service where id = $1`,
    [(await serviceOf('friend')).id],
  )
  assert.deepEqual(rows, [{ value: 900, monthly: 900 }])
})

test('days pass', async () => {
  for (const name of ['once', 'settled']) if ((await owedBy(name))[0] === 'open') await pay(name)
  await pass(29)
})

test('what was paid in the old system meanwhile is not charged again', async () => {
  assert.deepEqual(await renewalsOf('settled'), [1000])
  // An invoice that the old system made for a service that renews here is paid by nobody unasked.
  assert.deepEqual(await owedBy('renewing'), ['open', 1200])
  assert.equal(await creditOf('renewing'), 8800)
})

test('an open invoice of an import by an earlier version is the renewal of its service', async () => {
  assert.deepEqual(await renewalsOf('old'), [])
})

test('what was paid in the old system before renewals began is not charged again', async () => {
  for (const name of ['renamed', 'prepaid']) {
    const { periodEnd } = await serviceOf(name)
    assert.deepEqual([periodEnd, await renewalsOf(name)], [NEXT, [1000]], name)
  }
})

test('who asked to cancel has the time that was paid here', async () => {
  assert.ok((await serviceOf('leaver')).endedAt)
  const { endedAt, periodEnd } = await serviceOf('payer')
  assert.deepEqual([endedAt, periodEnd], [null, NEXT])
})

test('of an invoice for other things too, only the part of a service that is terminated is written off', async () => {
  assert.ok((await serviceOf('neglected')).endedAt)
  assert.deepEqual(await owedBy('neglected'), ['open', 6000])
})

test('a recurring promotion is deducted as the newest invoice shows it, until it is used up', async () => {
  assert.deepEqual(await renewalsOf('abroad'), [450])
  assert.deepEqual(await renewalsOf('twice'), [900])
  assert.deepEqual(await renewalsOf('raised'), [1080])
})

test('the preview counts open invoices as uses of a promotion', async () => {
  assert.deepEqual(await renewalsOf('once'), [1000])
  assert.equal(previewed.get('once'), 1000)
})

test('an invoice for credit that was a draft at first adds the credit once it is paid', async () => {
  await pay('saver')
  assert.equal(await creditOf('saver'), 3000)
})

test('what was paid in part of a period that was used is no credit', async () => {
  assert.ok((await serviceOf('lapsing')).endedAt)
  assert.deepEqual([(await owedBy('lapsing'))[0], await creditOf('lapsing')], ['uncollectible', 0])
})

test('the books are right', async () => {
  assert.deepEqual(await faults(app), [])
})
