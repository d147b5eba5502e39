import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { DAY_MS, later } from '#lib/time.ts'
import { testApp, until } from './app.ts'
import { faults, imported } from './imports.ts'
import { apiKey, person } from './people.ts'
import { shopOf } from './shop.ts'
import { smallDump, type WhmcsRows } from './small-whmcs.ts'

/** What is remarkable about a customer, in turn. */
const KINDS = [
  ...(['plain', 'ahead', 'overdue', 'suspended', 'pending', 'add_funds', 'leaver'] as const),
  ...(['subscriber', 'group', 'promoted', 'yearly', 'quarterly', 'neglected'] as const),
  ...(['untaxed', 'exempt', 'fixed', 'limited', 'used_up', 'dollars', 'several', 'part'] as const),
  ...(['parting', 'free', 'undated', 'ended'] as const),
] as const
type Kind = (typeof KINDS)[number]

/** Every kind of customer twice. */
export const FEW_CUSTOMERS = KINDS.length * 2

const PASSWORD = createHash('md5').update('engine').digest('hex')

/**
 * Tests that a shop with prices including tax moves to one with prices without: tried, undone, imported, previewed,
 * decided, cut over, run for two months, and reconciled.
 */
export async function testCutOver(customers: number): Promise<void> {
  const app = await testApp(null)
  const { clock, database } = app.deps
  const owner = await person(app, { admin: true })
  // Sessions end long before two months are over.
  const admin = await apiKey(app, owner, { permission: 'read-write' })
  const day = (days: number) => later(clock.now(), days * DAY_MS).slice(0, 10)
  const all = Array.from({ length: customers }, (_, index) => {
    const kind = KINDS[index % KINDS.length] as Kind
    return { id: index + 1, kind, gross: 499 + 100 * (index % 7) + (index % 90) }
  })
  const content = dumpOf(all, day)
  /** What each customer is billed in two months, with tax, as the builder of the dump knows it. */
  const known = new Map(all.map((it) => [`c${it.id}@example.com`, knownOf(it)]))
  let importId = ''
  const url = (path: string) => `/v1/admin/imports/${importId}${path}`

  test('the final dump is imported after a test import was undone', async () => {
    const tried = await imported(app, content)
    assert.equal(tried.status, 'completed', JSON.stringify([tried.fault, tried.report]))
    const undone = await admin.post(`/v1/admin/imports/${tried.id}/undo`, {})
    assert.equal(undone.status, 200, undone.text)
    await app.eventually('the undo', async () => {
      const { body } = await admin.get(`/v1/admin/imports/${tried.id}`)
      return body.status === 'undone'
    })
    const { id, status, report } = await imported(app, content)
    assert.equal(status, 'completed', JSON.stringify(report.differences))
    importId = id
  })

  test('renewals do not begin before every needed decision is made, and each is named', async () => {
    const refused = await admin.post(url('/begin-renewals'), {})
    assert.deepEqual([refused.status, refused.body.code], [409, 'decisions_missing'])
    const paths = refused.body.details.map((it: { path: string }) => it.path)
    assert.deepEqual(paths, ['price', 'tax', 'gateways', 'subscriptions'])
    await shopOf(admin).taxRate()
    const gateway = await admin.post('/v1/admin/gateways', {
      ...{ driver: 'bank_transfer', name: 'Transfer', mode: 'live', enabled: true, position: 9 },
      settings: { holder: 'Host GmbH', iban: 'DE02120300000000202051' },
    })
    assert.equal(gateway.status, 201, gateway.text)
    const made = { price: 'keep_total', subscriptions: 'canceled' }
    const { status, text } = await admin.put(url('/decisions'), made)
    assert.equal(status, 200, text)
  })

  test('the preview shows the price that each customer has paid before', async () => {
    let cursor: string | null = null
    do {
      const page: string = cursor ? `&cursor=${cursor}` : ''
      const { status, body, text } = await admin.get(url(`/preview?limit=100${page}`))
      assert.equal(status, 200, text)
      for (const { email, billed, newTotalCents } of body.data) {
        const { amounts } = known.get(email) ?? { amounts: [] }
        assert.equal(billed, amounts.length > 0, email)
        assert.ok(!billed || amounts.some((it) => isAsBefore(newTotalCents, it)), email)
      }
      cursor = body.nextCursor
    } while (cursor)
    const begun = await admin.post(url('/begin-renewals'), {})
    assert.equal(begun.status, 200, begun.text)
    assert.equal((await admin.get(url('/reconciliations/7'))).status, 409)
  })

  test('a changed price without a reason stands out after seven days, and staff is notified', async () => {
    await database.execute(
      `update services.services set price_cents = price_cents + 100 where name = 'c1'`,
    )
    await pass(8)
    const { body } = await admin.get(url('/reconciliations'))
    const [early, late] = body.data
    assert.deepEqual([early.days, early.readyAt !== null, late.readyAt], [7, true, null])
    assert.equal(early.totals[0].unexplained, 1)
    const { data } = (await admin.get(url('/reconciliations/7?limit=2'))).body
    assert.deepEqual(
      data.map((it: Record<string, unknown>) => [it.email, it.unexplainedCents, it.reasons]),
      [
        ['c1@example.com', 120, ['unexplained']],
        [data[1].email, 0, data[1].reasons],
      ],
    )
    const csv = await admin.get(url('/reconciliations/7/csv'))
    assert.match(csv.text, /c1@example\.com,EUR,\d+,\d+,\d+,120,120,unexplained,/)
    const { rows } = await database.execute(
      `select body from notifications.notifications where user_id = $1 and link = $2`,
      [owner.userId, `/admin/imports/${importId}`],
    )
    assert.match(String(rows[0]?.body), /^1 of \d+ customers/)
    await database.execute(
      `update services.services set price_cents = price_cents - 100 where name = 'c1'`,
    )
  })

  test('after two months the invoices are those of the preview, to the cent', async () => {
    await pass(53)
    const { rows } = await database.execute(
      `select person.email, array_agg(invoice.total_cents::int order by invoice.id) as amounts
       from billing.invoices as invoice join users.users as person on person.id = invoice.user_id
       where invoice.kind = 'renewal' and person.email not in ('c1@example.com')
       group by person.email`,
    )
    const neglected = namesOf('neglected')
    const billed = new Map(rows.map((it) => [String(it.email), it.amounts as number[]]))
    for (const [email, { kind, amounts }] of known) {
      if (email === 'c1@example.com') continue
      const seen = billed.get(email) ?? []
      if (kind === 'neglected') assert.ok(seen.length <= 1, `${email} ${kind}: ${seen}`)
      else assert.equal(seen.length, amounts.length, `${email} ${kind} ${seen}`)
      const told = `${email} ${kind}: ${seen} for ${amounts}`
      const [ours, theirs] = [seen, amounts].map((it) => it.toSorted((a, b) => a - b))
      const isPart = kind === 'neglected'
      for (const [index, it] of (ours ?? []).entries()) {
        assert.ok(isAsBefore(it, (isPart ? amounts[0] : theirs?.[index]) ?? 0), told)
      }
    }
    const compared = await database.execute(
      `with billed as (
         select period.service_id, period.starts_at, sum(line.total_cents) as total_cents
         from services.periods as period
         join billing.invoices as invoice on invoice.id = period.invoice_id
         join billing.invoice_lines as line on line.invoice_id = invoice.id
           and line.service_id = period.service_id
         where invoice.kind = 'renewal' and period.voided_at is null
         group by 1, 2
       )
       select (count(*) filter (where billed.total_cents is not null))::int as invoices,
         (count(*) filter (where billed.total_cents is null))::int as missing,
         (count(*) filter (where expected.total_cents is null))::int as unexpected,
         coalesce(sum(abs(expected.total_cents - billed.total_cents)), 0)::int as cents
       from (
         select * from imports.expected_invoices
         where invoice_at < (select min(began_at) + interval '60 days' from imports.reconciliations)
       ) as expected
       full join billed on billed.service_id = expected.service_id
         and billed.starts_at = expected.starts_at
       join services.services as service
         on service.id = coalesce(expected.service_id, billed.service_id)
       where service.name <> 'c1' and service.name not in (${neglected})`,
    )
    const { invoices, ...differences } = compared.rows[0] ?? {}
    assert.ok(Number(invoices) > customers)
    assert.deepEqual(differences, { missing: 0, unexpected: 0, cents: 0 })
    const { body } = await admin.get(url('/reconciliations'))
    const [total] = body.data[1].totals
    assert.equal(total.unexplained, 1, JSON.stringify(total))
    assert.equal(total.unexplainedCents, 120)
    assert.deepEqual(await faults(app), [])
  })

  test('what was paid in part of an invoice of a canceled service is credit', async () => {
    const { rows } = await database.execute(
      `select distinct -balance.balance_cents::int as credit from ledger.balances as balance
       join ledger.accounts as account on account.id = balance.account_id
       join users.users as person on account.code = 'credit:' || person.id
       where split_part(person.email, '@', 1) in (${namesOf('parting')})`,
    )
    assert.deepEqual(rows, [{ credit: 50_000 + PART }])
  })

  function namesOf(wanted: Kind): string {
    const names = all.filter(({ kind }) => kind === wanted).map(({ id }) => `'c${id}'`)
    return names.join(', ')
  }

  /** Lets days pass, half of one at a time, each with all its work: thousands of customers make more than the clock waits for. */
  async function pass(days: number): Promise<void> {
    for (let left = days * 2; left > 0; left -= 1) {
      await app.advance(43_200)
      await worked()
    }
    await app.advance(60)
    await app.advance(60)
    await worked()
  }

  async function worked(): Promise<void> {
    const look = async () => (await database.execute(WAITING)).rows.length === 0
    await until('the jobs are done', look, { waitMs: 600_000 })
  }
}

const WAITING = `select from jobs.job
  where state in ('created', 'retry', 'active') and start_after <= now() limit 1`

type Customer = { readonly id: number; readonly kind: Kind; readonly gross: number }

const NOT_BILLED: readonly Kind[] = ['pending', 'leaver', 'parting', 'free', 'undated', 'ended']
/** Their next period is covered by an open invoice of the old system, so one invoice less is due here. */
const COVERED: readonly Kind[] = ['ahead', 'overdue', 'suspended', 'neglected', 'part']
const DUE: Partial<Record<Kind, number>> = {
  ...{ overdue: -10, suspended: -10, neglected: -10, yearly: 20, quarterly: 40 },
}
/** What was paid of an invoice that is open. */
const PART = 100
/** The second service of a customer with several costs more by so much. */
const MORE = 130
const SECOND = 1_000_000

/** Whether a total is the one of before, or a cent less where no net price adds up to it. */
function isAsBefore(now: number, before: number): boolean {
  return now === before || now === before - 1
}

/** What is left of a price after the promotion of a customer. */
function discounted({ kind, gross }: Customer): number {
  if (kind === 'fixed') return gross - 100
  const isPromoted = ['promoted', 'limited', 'used_up', 'group'].some((it) => it === kind)
  return isPromoted ? Math.round(gross * 0.9) : gross
}

/** The promotion of a customer: for ever, a fixed amount, or twice in all. */
const PROMOTIONS: Partial<Record<Kind, number>> = { promoted: 1, fixed: 2, limited: 3, used_up: 3 }

/** The invoices of a customer within two months: due in five days, monthly, and invoiced seven days ahead. */
function knownOf(it: Customer): { kind: Kind; amounts: number[] } {
  const { kind, gross } = it
  if (NOT_BILLED.includes(kind)) return { kind, amounts: [] }
  const price = discounted(it)
  if (kind === 'limited') return { kind, amounts: [price, gross, gross] }
  if (kind === 'used_up') return { kind, amounts: [gross, gross, gross] }
  const count = kind === 'yearly' || kind === 'quarterly' ? 1 : COVERED.includes(kind) ? 2 : 3
  const amounts = Array.from({ length: count }, () => price)
  if (kind !== 'several') return { kind, amounts }
  return { kind, amounts: [...amounts, ...amounts.map((amount) => amount + MORE)] }
}

const CYCLES: Partial<Record<Kind, string>> = {
  ...{ yearly: 'Annually', quarterly: 'Quarterly', free: 'Free Account' },
}
const STATES: Partial<Record<Kind, string>> = {
  ...{ pending: 'Pending', suspended: 'Suspended', ended: 'Terminated' },
}

function money(amount: number): string {
  return (amount / 100).toFixed(2)
}

/** The dump of a WHMCS whose prices include tax. */
function dumpOf(all: readonly Customer[], day: (days: number) => string): Buffer {
  const many = (count: number) => all.slice(0, count)
  return smallDump({
    tblconfiguration: [
      ...[{}, { setting: 'TaxType', value: 'Inclusive' }, { setting: 'TaxEnabled', value: 'on' }],
      { setting: 'SystemURL', value: 'https://old.test/billing/' },
    ],
    tblcurrencies: [{}, { id: 2, code: 'USD', default: 0 }],
    tblproducts: [{}, { id: 2, name: 'Voucher', tax: 0 }],
    tblpricing: [{}, { id: 2, currency: 2 }, { id: 3, relid: 2 }],
    tblclients: all.map(({ id, kind }) => ({
      ...{ id, email: `c${id}@example.com`, firstname: `Customer ${id}`, password: PASSWORD },
      ...{ phonenumber: '+33 1 02 03 04 05', groupid: kind === 'group' ? 1 : 0 },
      ...{ taxexempt: kind === 'exempt' ? 1 : 0, currency: kind === 'dollars' ? 2 : 1 },
      // Renewals are paid from credit, but for one who pays nothing.
      credit: kind === 'neglected' ? '0.00' : '500.00',
    })),
    tblclientgroups: [{ discountpercent: '10.00' }],
    tblpromotions: [
      {},
      { id: 2, code: 'FIXED', type: 'Fixed Amount', value: '1.00' },
      { id: 3, code: 'TWICE', recurfor: 1 },
    ],
    tblhosting: servicesOf(all, day),
    tblcancelrequests: all.flatMap(({ id, kind }) =>
      kind === 'leaver' || kind === 'parting' ? [{ id, relid: id }] : [],
    ),
    tblorders: all.map(({ id, kind }) => ({
      ...{ id, userid: id, ordernum: `${id}` },
      status: kind === 'pending' ? 'Pending' : 'Active',
    })),
    ...documentsOf(all, day),
    tblcredit: all.map(({ id, kind }) => ({
      ...{ id, clientid: id, amount: kind === 'neglected' ? '0.00' : '500.00' },
    })),
    tblcontacts: many(9).map(({ id }) => ({
      ...{ id, userid: id, firstname: 'Second', lastname: 'Contact' },
      ...{ email: `contact${id}@example.com`, phonenumber: '' },
    })),
    tblcustomfields: [
      { id: 1, type: 'client', relid: 0, fieldname: 'Discord', fieldtype: 'text', description: '' },
    ],
    tblcustomfieldsvalues: many(9).map(({ id }) => ({ id, fieldid: 1, relid: id, value: `${id}` })),
    tblhostingaddons: many(9).map(({ id }) => ({
      ...{ id, hostingid: id, addonid: 1, userid: id, name: 'Backups', recurring: '1.00' },
      ...{ setupfee: '0.00', billingcycle: 'Monthly', status: 'Active', nextduedate: day(5) },
    })),
    tblhostingconfigoptions: many(9).map(({ id }) => ({
      ...{ id, relid: id, configid: 1, optionid: 1, qty: 1 },
    })),
    tbltickets: many(9).map(({ id }) => ({ id, userid: id, title: 'Help', message: 'Please' })),
  })
}

function servicesOf(
  all: readonly Customer[],
  day: (days: number) => string,
): WhmcsRows[string][number][] {
  return all.flatMap((it) => {
    const { id, kind, gross } = it
    // A limited promotion is a part of the agreed amount, the others are lines of their own.
    const amount = kind === 'limited' || kind === 'used_up' ? discounted(it) : gross
    const service = {
      ...{ id, userid: id, domain: `c${id}`, packageid: kind === 'untaxed' ? 2 : 1 },
      ...{ amount: money(kind === 'free' ? 0 : amount), firstpaymentamount: money(gross) },
      nextduedate: kind === 'free' || kind === 'undated' ? '0000-00-00' : day(DUE[kind] ?? 5),
      domainstatus: STATES[kind] ?? 'Active',
      suspendreason: kind === 'suspended' ? 'Overdue on Payment' : '',
      subscriptionid: kind === 'subscriber' ? `I-${id}` : '',
      billingcycle: CYCLES[kind] ?? 'Monthly',
      promoid: PROMOTIONS[kind] ?? 0,
    }
    if (kind !== 'several') return [service]
    const second = { id: SECOND + id, domain: `c${id} too`, amount: money(gross + MORE) }
    return [service, { ...service, ...second }]
  })
}

/** The invoices of customers, which include a tax of 20 %, and what was paid on them. */
function documentsOf(all: readonly Customer[], day: (days: number) => string): WhmcsRows {
  const invoices: WhmcsRows[string][number][] = []
  const items: WhmcsRows[string][number][] = []
  const payments: WhmcsRows[string][number][] = []
  const add = (
    { id: userid, kind }: Customer,
    lines: readonly [type: string, amount: number][],
    { paid = 0, ...cells }: Record<string, string | number> & { paid?: number } = {},
  ) => {
    const id = invoices.length + 1
    const total = lines.reduce((sum, [, amount]) => sum + amount, 0)
    const net = total - Math.round((total * 20) / 120)
    const amounts = { subtotal: money(net), tax: money(total - net), total: money(total) }
    const dates = { date: day(-20), duedate: day(DUE[kind] ?? 5), taxrate: '20.000' }
    invoices.push({ id, userid, ...dates, ...amounts, ...cells })
    for (const [type, amount] of lines) {
      const line = { id: items.length + 1, invoiceid: id, userid, relid: userid }
      items.push({ ...line, taxed: 1, type, amount: money(amount), description: type })
    }
    if (paid > 0)
      payments.push({ id, userid, invoiceid: id, transid: `t${id}`, amountin: money(paid) })
  }
  for (const it of all) {
    const { kind, gross } = it
    const paid = kind === 'part' || kind === 'parting' ? PART : 0
    if (COVERED.includes(kind) || kind === 'parting') add(it, [['Hosting', gross]], { paid })
    if (kind === 'add_funds') add(it, [['AddFunds', gross]])
    if (PROMOTIONS[kind] === undefined) continue
    const lines: [string, number][] = [
      ['Hosting', gross],
      ['PromoHosting', discounted(it) - gross],
    ]
    const done = { status: 'Paid', datepaid: day(-25), paid: discounted(it) }
    for (const due of kind === 'used_up' ? [-55, -25] : [-25]) {
      add(it, lines, { ...done, duedate: day(due) })
    }
  }
  return { tblinvoices: invoices, tblinvoiceitems: items, tblaccounts: payments }
}
