import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { type Tx, transact } from '#platform/database/index.ts'
import type { Answer } from '#test/client.ts'
import { endedImport, uploadDump, whmcsDump } from '#test/dumps.ts'
import { fossbillingDump } from '#test/fossbilling-dump.ts'
import { gameShop } from '#test/game-shop.ts'
import { DECIDED, faults, imported } from '#test/imports.ts'
import { asOwner } from '#test/owner.ts'
import { paymenterDump } from '#test/paymenter-dump.ts'
import { otherTenant, person } from '#test/people.ts'
import { smallDump, type WhmcsRows } from '#test/small-whmcs.ts'
import { differences, everything } from '#test/snapshots.ts'
import { beginUndo, finishUndo, tryUndo } from './actions.ts'

const shop = await gameShop()
const { app, admin, catalog } = shop
const { database } = app.deps

/** A customer of this shop before anything is imported: with a server, a paid invoice, credit and an own affiliate. */
const ada = await shop.customer()
const { plan } = await shop.server()
await catalog.taxRate()
await catalog.coupon({ code: 'LESS' })
await shop.becameOneSale(ada, await shop.buy(ada, plan.id))
const granted = await admin.post(`/v1/admin/users/${ada.userId}/credits`, {
  ...{ amountCents: 300, reason: 'Sorry' },
})
assert.equal(granted.status, 201, granted.text)
await app.eventually('the next renewal is planned', async () => {
  const { rows: planned } = await database.execute(
    `select from services.services where next_invoice_at > paid_at + interval '1 day'`,
  )
  return planned.length === 1
})

/** Customers there: one of them is Ada, who has an account here. */
const rows: WhmcsRows = {
  tblclients: [
    { id: 1, email: ada.email, credit: '-20.00', notes: 'Pays late' },
    { id: 2, email: 'bob@example.com', firstname: 'Bob', credit: '7.00', tax_id: 'FR40303265045' },
    { id: 3, email: 'eve@example.com', firstname: 'Eve', status: 'Closed' },
    { id: 4, email: 'bob@example.com', firstname: 'Robert', credit: '1.00', notes: 'Twice' },
  ],
  tblhosting: [
    { id: 1, userid: 1 },
    { id: 2, userid: 2 },
    { id: 3, userid: 3, domainstatus: 'Terminated' },
  ],
  tblinvoices: [
    { id: 1, userid: 1 },
    { id: 2, userid: 2 },
    { id: 3, userid: 2, status: 'Paid', datepaid: '2020-01-02 00:00:00' },
    { id: 4, userid: 3, status: 'Draft' },
  ],
  tblinvoiceitems: [1, 2, 2, 3].map((userid, place) => ({
    ...{ id: place + 1, invoiceid: place + 1, userid, type: 'Hosting', relid: userid },
  })),
  tblaccounts: [{ id: 1, userid: 2, invoiceid: 3 }],
  tblcredit: [{ id: 1, clientid: 2, amount: '7.00' }],
  tblorders: [{ id: 1, userid: 2, invoiceid: 3 }],
  tblpromotions: [{ code: 'LESS' }],
  tblaffiliates: [
    { id: 1, clientid: 1, balance: '3.00' },
    { id: 2, clientid: 2, balance: '4.00' },
  ],
  tblaffiliatesaccounts: [{ id: 1, affiliateid: 1, relid: 3 }],
  tblaffiliatespending: [{ id: 1, affaccid: 1, amount: '2.00', clearingdate: '2099-01-01' }],
}

async function undo(id: string, body: object = {}) {
  return admin.post(`/v1/admin/imports/${id}/undo`, body)
}

async function undone(id: string): Promise<void> {
  const begun = await undo(id)
  assert.equal(begun.status, 200, begun.text)
  await app.eventually('the import is undone', async () => {
    const { body } = await admin.get(`/v1/admin/imports/${id}`)
    return body.status === 'undone'
  })
}

const dumps: readonly (readonly [string, () => Buffer])[] = [
  ['customers of this shop among others', () => smallDump(rows)],
  ['a WHMCS', () => whmcsDump({ clients: 12, mess: true, seed: 'undo' }).content],
  ['a Paymenter', () => paymenterDump().content],
  ['a FOSSBilling', () => fossbillingDump().content],
]

for (const [what, content] of dumps) {
  test(`an undone import of ${what} leaves every row of a running shop as it was`, async () => {
    const before = await everything(app)
    const { id, status, fault } = await imported(app, content())
    assert.match(status, /^completed/, JSON.stringify(fault))
    assert.notDeepEqual(differences(before, await everything(app)), [])
    const asked = await undo(id, { dryRun: true })
    assert.deepEqual([asked.status, asked.body.obstacles], [200, []], asked.text)
    await undone(id)
    assert.deepEqual(differences(before, await everything(app)), [])
    assert.deepEqual(await faults(app), [])
  })
}

test('a process that ends in the middle leaves an import as it was, and the next try undoes it', async () => {
  const before = await everything(app)
  const { id } = await imported(app, smallDump(rows))
  const after = await everything(app)
  const key = { tenantId: app.tenantId, id }
  // Its job is lost with the process.
  const later = async () => {}
  await transact(shop.db, (tx) => beginUndo(tx, key, { dryRun: false, later }))
  await assert.rejects(
    transact(shop.db, async (tx) => {
      await finishUndo(tx, key, app.deps.clock.now())
      throw new Error('the process ended')
    }),
    /the process ended/,
  )
  assert.deepEqual(differences(after, await everything(app)), [])
  const other = await uploadDump(admin, smallDump({ ...rows, tblcredit: [] }), {})
  assert.deepEqual([other.status, other.body.code], [409, 'import_running'], other.text)
  await app.eventually('the import is undone', async () => {
    return (await admin.get(`/v1/admin/imports/${id}`)).body.status === 'undone'
  })
  assert.deepEqual(differences(before, await everything(app)), [])
})

/** An import that is to be undone, without a job. */
async function toBeUndone(wanted?: string) {
  const id = wanted ?? (await imported(app, smallDump(rows))).id
  const key = { tenantId: app.tenantId, id }
  const later = async () => {}
  await transact(shop.db, (tx) => beginUndo(tx, key, { dryRun: false, later }))
  return key
}

/** Tries to undo an import until that is given up; a job of the service may have its part in it. */
async function triedOut(key: { tenantId: string; id: string }): Promise<Answer['body']> {
  const { clock, log } = app.deps
  const context = {
    ...{ now: clock.now(), log },
    transact: <T>(work: (tx: Tx) => Promise<T>) => transact(shop.db, work),
  }
  for (let tries = 1; ; tries += 1) {
    await tryUndo(context, key).catch(() => null)
    const { body } = await admin.get(`/v1/admin/imports/${key.id}`)
    if (body.status !== 'undoing') return body
    assert.ok(tries < 6, 'it is given up')
  }
}

test('an undo that fails every time ends: the import has its former status and the failure, and staff are notified', async () => {
  const key = await toBeUndone()
  const after = await everything(app)
  await asOwner(
    database,
    `create function imports.refuse() returns trigger language plpgsql
     as $$ begin raise exception 'the disk has a fault'; end $$`,
  )
  await asOwner(
    database,
    `create trigger refused before delete on users.users
     for each row execute function imports.refuse()`,
  )
  const { status, undoFailure } = await triedOut(key)
  assert.deepEqual([status, undoFailure.code], ['completed', 'undo_failed'])
  assert.match(undoFailure.message, /could not be undone after several attempts/)
  const changed = differences(after, await everything(app))
  assert.ok(!changed.some((it) => it.includes('users.users')), changed.join('\n'))
  const { data: notices } = (await admin.get('/v1/notifications')).body
  assert.match(notices[0].title, /was not undone$/)
  assert.equal(notices[0].link, `/admin/imports/${key.id}`)
  const other = await imported(app, smallDump({ tblclients: [{ id: 70 }], tblhosting: [] }))
  assert.equal(other.status, 'completed')
  await asOwner(database, 'drop function imports.refuse cascade')
  await undone(other.id)
  await undone(key.id)
  assert.equal((await admin.get(`/v1/admin/imports/${key.id}`)).body.undoFailure, null)
})

test('an undo whose process ends at each attempt is given up without another one', async () => {
  const key = await toBeUndone()
  await database.execute(`update imports.imports set undo_tries = 5 where id = '${key.id}'`)
  const { status, undoFailure } = await triedOut(key)
  assert.deepEqual([status, undoFailure.code], ['completed', 'undo_failed'])
  await undone(key.id)
})

test('an undone import stays undone, begins no renewals, and its file can be imported again', async () => {
  const content = smallDump(rows)
  const before = await everything(app)
  const { id } = await imported(app, content)
  const both = await Promise.all([undo(id), undo(id)])
  assert.deepEqual(
    both.map(({ status }) => status),
    [200, 200],
  )
  await undone(id)
  const again = await undo(id)
  assert.deepEqual([again.status, again.body], [200, { status: 'undone', obstacles: [] }])
  const begun = await admin.post(`/v1/admin/imports/${id}/begin-renewals`, DECIDED)
  assert.deepEqual([begun.status, begun.body.code], [409, 'nothing_imported'])
  const uploaded = await uploadDump(admin, content, {})
  assert.notEqual(uploaded.body.id, id)
  const ended = await endedImport(app, admin, uploaded.body.id)
  assert.equal(
    ended.report.resources.users.imported,
    2,
    JSON.stringify(ended.report.resources.users),
  )
  await undone(uploaded.body.id)
  assert.deepEqual(differences(before, await everything(app)), [])
})

test('an undone newer dump leaves what the older one has imported as it was', async () => {
  const start = await everything(app)
  const first = await imported(app, smallDump(rows))
  const before = await everything(app)
  const [clients = [], invoices = [], hosting = []] = [
    'tblclients',
    'tblinvoices',
    'tblhosting',
  ].map((table) => rows[table])
  const newer = await imported(
    app,
    smallDump({
      ...rows,
      tblclients: [
        ...clients.map((it) => (it.id === 2 ? { ...it, city: 'Lyon', credit: '9.00' } : it)),
        { id: 5, email: 'zoe@example.com', firstname: 'Zoe' },
      ],
      tblhosting: [
        ...hosting.map((it) =>
          it.id === 2 ? { ...it, amount: '12.00', billingcycle: 'Annually' } : it,
        ),
        { id: 4, userid: 5 },
      ],
      tblinvoices: invoices.map((it) =>
        it.id === 2 ? { ...it, status: 'Paid', datepaid: '2020-03-01 00:00:00' } : it,
      ),
      tblaccounts: [
        { id: 1, userid: 2, invoiceid: 3 },
        { id: 2, userid: 2, invoiceid: 2 },
      ],
      tblaffiliates: [
        { id: 1, clientid: 1, balance: '5.00' },
        { id: 2, clientid: 2, balance: '1.00', withdrawn: '3.00' },
      ],
      tblaffiliatespending: [],
    }),
  )
  assert.equal(newer.status, 'completed')
  for (const resource of ['users', 'services', 'invoices', 'affiliates']) {
    const { reasons = [] } = newer.report.resources[resource] ?? {}
    assert.ok(
      reasons.some(({ code }) => code === 'updated'),
      `${resource} are updated`,
    )
  }
  const early = await undo(first.id)
  assert.match(early.body.message, /newer imports: 1/)
  const asked = await undo(newer.id, { dryRun: true })
  assert.deepEqual(asked.body.obstacles, [])
  await undone(newer.id)
  assert.deepEqual(differences(before, await everything(app)), [])
  assert.deepEqual(await faults(app), [])
  await undone(first.id)
  assert.deepEqual(differences(start, await everything(app)), [])
})

test('a person who has only signed in goes with the import, and their session ends', async () => {
  const before = await everything(app)
  const password = createHash('md5').update('engine').digest('hex')
  const { id } = await imported(
    app,
    smallDump({ tblclients: [{ id: 9, email: 'joe@example.com', password }], tblhosting: [] }),
  )
  const { status, body } = await app.post('/v1/auth/login', {
    ...{ email: 'joe@example.com', password: 'engine' },
  })
  assert.equal(status, 200)
  await undone(id)
  assert.equal((await app.as(body.accessToken).get('/v1/users/me')).status, 401)
  assert.deepEqual(differences(before, await everything(app)), [])
})

test('a dry run, and an import of another shop, are not undone', async () => {
  const { id } = await imported(app, smallDump(rows), { dryRun: true })
  const refused = await undo(id)
  assert.deepEqual([refused.status, refused.body.code], [409, 'nothing_imported'])
  const other = await otherTenant(app, 'other.test')
  const stranger = await person(app, { admin: true, tenantId: other })
  assert.equal((await stranger.post(`/v1/admin/imports/${id}/undo`, {})).status, 404)
})

/** The id of an account by its address. */
async function accountOf(email: string): Promise<string> {
  const { rows: found } = await database.execute(
    'select id from users.users where email = $1 and tenant_id = $2',
    [email, app.tenantId],
  )
  return String(found[0]?.id)
}

/** The import of which everything below is used; it stays. */
let used = ''

test('nothing stands in the way of undoing an import that nobody has used', async () => {
  used = (await imported(app, smallDump(rows))).id
  assert.deepEqual([...(await obstacles())], [])
})

type Use = () => Promise<{ status: number; text: string }>

const gift = { amountCents: 100, reason: 'Sorry' }

/** What staff or customers do with imported records, by how the answer calls it. */
const uses: readonly (readonly [what: string, code: string, use: Use])[] = [
  [
    'a note on a customer',
    'notes',
    async () =>
      admin.post(`/v1/admin/users/${await accountOf('bob@example.com')}/notes`, {
        text: 'Called.',
      }),
  ],
  [
    'credit that a customer was granted',
    'ledger_transactions',
    async () => admin.post(`/v1/admin/users/${await accountOf('bob@example.com')}/credits`, gift),
  ],
  [
    'credit that a customer who had an account here before was granted',
    'ledger_transactions',
    () => admin.post(`/v1/admin/users/${ada.userId}/credits`, gift),
  ],
  [
    'an imported product that another customer has put into their cart',
    'cart_items',
    async () => {
      const { rows: plans } = await database.execute(
        `select plan.id, product.id as product from store.plans as plan
         join store.products as product on product.id = plan.product_id where product.name = 'Server'`,
      )
      const limits = { memoryMb: 1, diskMb: 1 }
      const sold = await admin.patch(`/v1/admin/products/${plans[0]?.product}`, {
        provisioning: { eggId: shop.eggId, nodeIds: [shop.nodeId], limits },
      })
      assert.equal(sold.status, 200, sold.text)
      const published = await admin.post(`/v1/admin/products/${plans[0]?.product}/publish`)
      assert.equal(published.status, 200, published.text)
      return (await shop.customer()).post('/v1/cart/items', { planId: plans[0]?.id })
    },
  ],
  [
    'an invoice that was written off',
    'changed_records',
    async () => {
      const { rows: open } = await database.execute(
        `select id from billing.invoices where status = 'open' and imported is not null
           and user_id = $1 order by id limit 1`,
        [await accountOf('bob@example.com')],
      )
      return admin.post(`/v1/admin/invoices/${open[0]?.id}/write-off`)
    },
  ],
  [
    'a service that staff has suspended',
    'edits',
    async () => {
      const { rows: found } = await database.execute(
        'select id from services.services where imported is not null and user_id = $1',
        [await accountOf('bob@example.com')],
      )
      return admin.post(`/v1/admin/services/${found[0]?.id}/suspend`)
    },
  ],
  [
    'a coupon of this shop for an imported product',
    'coupons',
    async () => {
      const { rows: found } = await database.execute(
        `select id from store.products where name = 'Server'`,
      )
      return admin.post('/v1/admin/coupons', {
        ...{ code: 'OURS', type: 'percent', percentBasisPoints: 500 },
        productIds: [found[0]?.id],
      })
    },
  ],
  [
    'renewals that have begun',
    'renewals',
    () =>
      admin.post(`/v1/admin/imports/${used}/begin-renewals`, { ...DECIDED, price: 'keep_total' }),
  ],
]

async function obstacles(): Promise<Map<string, number>> {
  const { status, body, text } = await undo(used, { dryRun: true })
  assert.equal(status, 200, text)
  return new Map(body.obstacles.map((it: { code: string; count: number }) => [it.code, it.count]))
}

for (const [what, code, use] of uses) {
  test(`${what}: an import is not undone any more, and the answer says why`, async () => {
    const known = await obstacles()
    const done = await use()
    assert.ok(done.status < 300, done.text)
    assert.ok(((await obstacles()).get(code) ?? 0) > (known.get(code) ?? 0))
    const before = await everything(app)
    const refused = await undo(used)
    assert.deepEqual([refused.status, refused.body.code], [409, 'import_in_use'])
    assert.match(
      refused.body.message,
      new RegExp(`${code.replaceAll('_', ' ')}: \\d+ \\([0-9a-f-]{36}`),
    )
    assert.deepEqual(differences(before, await everything(app)), [])
  })
}

test('records that come into use before an import is undone keep it, and staff are notified', async () => {
  const { id } = await imported(
    app,
    smallDump({ tblclients: [{ id: 90, email: 'kim@example.com' }], tblhosting: [] }),
  )
  const key = await toBeUndone(id)
  const kim = await accountOf('kim@example.com')
  const granted = await admin.post(`/v1/admin/users/${kim}/credits`, {
    ...{ amountCents: 100, reason: 'Sorry' },
  })
  assert.equal(granted.status, 201, granted.text)
  const { status, undoFailure } = await triedOut(key)
  assert.deepEqual([status, undoFailure.code], ['completed', 'import_in_use'])
  assert.match(undoFailure.message, /ledger transactions: 1 \(/)
  const { data: notices } = (await admin.get('/v1/notifications')).body
  assert.match(notices[0].body, /in use/)
})
