import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { listBookings } from '#ledger'
import { DAY_MS, dayOf, instant, later } from '#lib/time.ts'
import { settingsOf } from '#tenants'
import { billingShop } from '#test/billing-shop.ts'
import type { Answer } from '#test/client.ts'
import { type Person, person } from '#test/people.ts'
import { enterSeller, TEST_SELLER } from '#test/seller.ts'
import { filesInZip } from '#test/zip.ts'
import { datevFiles } from './files.ts'
import { accountingSettings } from './settings.ts'

/** A German shop with every kind of sale, what was paid, refunded and given away, and then its exports. */
const shop = await billingShop()
const { app, admin, db, tenantId, gatewayId } = shop
const GERMAN = {
  ...{ ...TEST_SELLER, country: 'DE', postcode: '10115', city: 'Berlin' },
  ...{ vatNumber: 'DE136695976', registerNumber: 'HRB 1' },
}
const from = dayOf(app.deps.clock.now())
let to = from

type Body = Answer['body']

async function ok(answer: Promise<Answer>): Promise<Body> {
  const { status, body, text } = await answer
  assert.ok(status < 300, text)
  return body
}

async function issued(userId: string, unitPriceCents: number, description = 'By hand') {
  const lines = [{ description, unitPriceCents }]
  const { id } = await ok(admin.post('/v1/admin/invoices', { userId, lines }))
  await ok(admin.post(`/v1/admin/invoices/${id}/issue`))
  return String(id)
}

async function paid(buyer: Person, invoiceId: string): Promise<void> {
  const { redirectUrl } = await ok(
    buyer.post(`/v1/billing/invoices/${invoiceId}/pay`, { gatewayId }),
  )
  await shop.complete(redirectUrl)
  await shop.became(buyer, invoiceId, 'paid')
}

const customers: Person[] = []

async function customer(country: string, name: string): Promise<Person> {
  const made = await shop.buyer({ country, name })
  customers.push(made)
  return made
}

before(async () => {
  await enterSeller(app.deps.database, tenantId, GERMAN)
  const ada = await customer('DE', 'Łukasz Żółw; "Ltd"')
  const invoice = await issued(ada.userId, 1000, '=SUM(A1); "quoted" 🎮')
  await paid(ada, invoice)
  await ok(admin.post(`/v1/admin/invoices/${invoice}/refund`, { amountCents: 119 }))
  const french = await customer('FR', '株式会社')
  const sale = await issued(french.userId, 500)
  await paid(french, sale)
  await ok(
    admin.post(`/v1/admin/invoices/${sale}/credit-note`, { amountCents: 60, reason: 'Downtime' }),
  )
  await issued((await customer('US', 'Bob')).userId, 700)
  const business = await customer('AT', 'Firma')
  await ok(
    business.patch('/v1/users/me', {
      address: { line1: 'Ring 1', postcode: '1010', city: 'Wien', country: 'AT' },
      vatNumber: 'ATU13585627',
    }),
  )
  await issued(business.userId, 900)
  await ok(
    admin.post(`/v1/admin/users/${ada.userId}/credits`, { amountCents: 300, reason: 'Sorry' }),
  )
  const left = await issued(ada.userId, 800)
  await ok(admin.post(`/v1/admin/invoices/${left}/write-off`))
  await ok(admin.post(`/v1/admin/invoices/${await issued(ada.userId, 400)}/void`, { reason: 'No' }))
  await enterSeller(app.deps.database, tenantId, { ...GERMAN, taxStatus: 'small_business' })
  await issued(ada.userId, 250)
  await shop.settled()
  await app.advance((2 * DAY_MS) / 1000)
  to = dayOf(later(app.deps.clock.now(), -DAY_MS))
})

const CONFIRMED = { datevConfirmed: true, datevConsultant: '29098', datevClient: '55003' }

async function archive(contents: string): Promise<{ bytes: Buffer; files: Map<string, Buffer> }> {
  const path = `/v1/admin/reports/export?contents=${contents}&from=${from}&to=${to}`
  const { token } = await person(app, { permissions: ['exports:read'] })
  const headers = { authorization: `Bearer ${token}` }
  const answer = await fetch(`${app.url}${path}`, { headers })
  assert.equal(answer.status, 200, await answer.clone().text())
  const bytes = Buffer.from(await answer.arrayBuffer())
  return { bytes, files: filesInZip(bytes) }
}

const asked = (contents: string) => admin.get(`/v1/admin/reports/export?contents=${contents}`)

/** What the ledger booked, debits less credits, by the beginning of the account's code. */
async function booked(): Promise<Map<string, number>> {
  const end = later(instant(`${to}T00:00:00Z`), DAY_MS)
  const period = { tenantId, from: instant(`${from}T00:00:00Z`), to: end }
  const sums = new Map<string, number>()
  for (const { account, amountCents } of await listBookings(db, period, null, 10_000)) {
    const kind = account.split(':')[0] ?? ''
    sums.set(kind, (sums.get(kind) ?? 0) + amountCents)
  }
  return sums
}

/** The cells of a line between semicolons, without their quotes. */
function cellsOf(line: string): string[] {
  const found = [...line.matchAll(/(?:^|;)("(?:[^"]|"")*"|[^;]*)/g)]
  return found.map(([, cell = '']) => cell.replace(/^"|"$/g, '').replaceAll('""', '"'))
}

function centsOf(text: string): number {
  return Math.round(Number(text.replace(',', '.')) * 100)
}

/** Debits less credits by account, and the gross of each revenue account. */
function sumsOf(lines: readonly string[]): Map<string, number> {
  const sums = new Map<string, number>()
  for (const [amount = '', side = '', , , , , account = '', counter = ''] of lines.map(cellsOf)) {
    const cents = side === 'S' ? centsOf(amount) : -centsOf(amount)
    sums.set(account, (sums.get(account) ?? 0) + cents)
    sums.set(counter, (sums.get(counter) ?? 0) - cents)
  }
  return sums
}

test('an export for an accountant is refused until the accounts are confirmed and complete', async () => {
  for (const contents of ['datev', 'fec']) {
    const { status, body } = await asked(contents)
    assert.deepEqual([status, body.code], [409, 'accounts_not_confirmed'])
  }
  const accounting = { datevConfirmed: true, fecConfirmed: true }
  await ok(admin.patch('/v1/admin/settings', { accounting }))
  const datev = await asked('datev')
  assert.deepEqual([datev.status, datev.body.code], [409, 'accounts_incomplete'])
  assert.deepEqual(
    datev.body.details.map(({ path }: { path: string }) => path),
    ['accounting.datevConsultant', 'accounting.datevClient'],
  )
  const fec = await asked('fec')
  assert.deepEqual([fec.status, fec.body.code], [409, 'accounts_incomplete'])
  assert.equal(fec.body.details[0].path, 'seller.registerNumber')
  for (const [field, value] of [
    ['datevConsultant', '12'],
    ['datevClient', '123456'],
    ['datevRates', ['13']],
    ['datevAccounts', { domesticStandard: 'x' }],
    ['datevAccounts', { other: '8400' }],
    ['fecAccounts', { sales: '70' }],
  ] as const) {
    const wrong = await admin.patch('/v1/admin/settings', { accounting: { [field]: value } })
    assert.equal(wrong.status, 400, field)
  }
})

test('V67 the rows for DATEV add up to the ledger and to the tax report', async () => {
  await ok(admin.patch('/v1/admin/settings', { accounting: CONFIRMED }))
  const { files } = await archive('datev')
  const [name = ''] = [...files.keys()]
  assert.equal(files.size, 1)
  assert.equal(name, `EXTF_Buchungsstapel_EUR_${from}_${to}_1.csv`)
  const text = new TextDecoder('windows-1252').decode(files.get(name))
  assert.ok(text.endsWith('\r\n'))
  const [head = '', , ...lines] = text.trimEnd().split('\r\n')
  assert.ok(head.startsWith('"EXTF";700;21;"Buchungsstapel";13;'), head)
  for (const line of lines) assert.equal(cellsOf(line).length, 125, line)
  const sums = sumsOf(lines)
  const ledger = await booked()
  const debtors = [...sums].filter(([account]) => account.length === 5)
  assert.equal(
    debtors.reduce((sum, [, cents]) => sum + cents, 0),
    ledger.get('receivable'),
  )
  assert.deepEqual(
    ['1360', '1710', '4970', '2400', '4900'].map((account) => sums.get(account) ?? 0),
    ['cash', 'credit', 'fees', 'badDebt', 'goodwill'].map((kind) => ledger.get(kind) ?? 0),
  )
  const { data } = await ok(admin.get(`/v1/admin/reports/tax?from=${from}&to=${to}`))
  const grossOf = (wanted: (it: Body) => boolean) =>
    data.filter(wanted).reduce((sum: number, it: Body) => sum + it.netCents + it.taxCents, 0)
  const inReport = {
    8400: grossOf((it) => it.category === 'S' && it.country === 'DE'),
    8331: grossOf((it) => it.category === 'S' && it.country === 'FR'),
    8336: grossOf((it) => it.category === 'AE'),
    8338: grossOf((it) => it.category === 'O'),
    8195: grossOf((it) => it.category === 'E'),
  }
  for (const [account, gross] of Object.entries(inReport)) {
    assert.ok(gross > 0, account)
    assert.equal(-(sums.get(account) ?? 0), gross, account)
  }
  const sold = lines.map(cellsOf).find((cells) => cells[7] === '8336')
  assert.equal(sold?.[39], 'ATU13585627')
  const first = lines.map(cellsOf)[0]
  assert.equal(first?.[13], `'=SUM(A1); "quoted" ? ${customers[0]?.userId}`.slice(0, 60))
  assert.equal(first?.[48], 'Lukasz Zólw; "Ltd"')
})

test('each customer keeps the debtor number that the first export gave them', async () => {
  const numbers = async () => {
    const rows = await db.selectFrom('ledger.debtors').select(['userId', 'number']).execute()
    return rows.toSorted((a, b) => a.number - b.number).map(({ userId }) => userId)
  }
  const first = await numbers()
  assert.deepEqual(
    first,
    customers.map(({ userId }) => userId),
  )
  const late = await shop.buyer({ country: 'DE' })
  await issued(late.userId, 100)
  const both = await Promise.all([asked('datev'), asked('datev')])
  assert.deepEqual(
    both.map(({ status }) => status),
    [200, 200],
  )
  assert.deepEqual(await numbers(), [...first, late.userId])
})

test('one debtor account can stand for all customers', async () => {
  await ok(admin.patch('/v1/admin/settings', { accounting: { datevDebtors: 'collective' } }))
  const { files } = await archive('datev')
  const lines = String([...files.values()][0])
    .trimEnd()
    .split('\r\n')
    .slice(2)
  assert.equal(sumsOf(lines).get('10000'), (await booked()).get('receivable'))
  await ok(admin.patch('/v1/admin/settings', { accounting: { datevDebtors: null } }))
})

test('many rows are cut into files that each have their header, and nothing is lost', async () => {
  const settings = await settingsOf(db, tenantId, accountingSettings)
  const period = { tenantId, from: instant(`${from}T00:00:00Z`), to: app.deps.clock.now() }
  const read = async (most: number) => {
    const files: string[][] = []
    for await (const { content } of datevFiles(db, period, settings, most)) {
      const parts: Uint8Array[] = []
      for await (const part of content) parts.push(part as Uint8Array)
      files.push(Buffer.concat(parts).toString('latin1').trimEnd().split('\r\n'))
    }
    return files
  }
  const [all = []] = await read(99_999)
  const cut = await read(4)
  assert.equal(cut.length, Math.ceil((all.length - 2) / 4))
  assert.ok(cut.every((lines) => lines.length <= 6 && lines[0] === all[0]))
  assert.deepEqual(
    cut.flatMap((lines) => lines.slice(2)),
    all.slice(2),
  )
})

test('V67 the FEC has an entry for each transaction, balanced, and adds up to the ledger', async () => {
  await enterSeller(app.deps.database, tenantId)
  const { files } = await archive('fec')
  const name = `303265045FEC${to.replaceAll('-', '')}.txt`
  assert.deepEqual([...files.keys()], [name])
  const text = new TextDecoder('iso-8859-15').decode(files.get(name))
  const [head = '', ...lines] = text.slice(0, -2).split('\r\n')
  const columns = head.split('\t')
  assert.equal(columns.length, 18)
  const rows = lines.map((line) => {
    const cells = line.split('\t')
    assert.equal(cells.length, 18, line)
    return Object.fromEntries(columns.map((column, at) => [column, cells[at] ?? '']))
  })
  const entries = Map.groupBy(rows, ({ EcritureNum }) => EcritureNum)
  assert.deepEqual(
    [...entries.keys()],
    Array.from({ length: entries.size }, (_, at) => String(at + 1)),
  )
  const balance = (some: typeof rows) =>
    some.reduce((sum, it) => sum + centsOf(it.Debit ?? '') - centsOf(it.Credit ?? ''), 0)
  for (const [number, own] of entries) assert.equal(balance(own), 0, number)
  const ledger = await booked()
  for (const [account, kind] of Object.entries({
    ...{ 411: 'receivable', 706: 'revenue', 512: 'cash', 4191: 'credit' },
    ...{ 627: 'fees', 654: 'badDebt', 658: 'goodwill' },
  })) {
    const own = rows.filter(({ CompteNum }) => CompteNum === account)
    assert.ok(own.length > 0, account)
    assert.equal(balance(own), ledger.get(kind), account)
  }
  const taxed = rows.filter(({ CompteNum }) => CompteNum?.startsWith('4457'))
  assert.equal(balance(taxed), ledger.get('tax'))
  for (const row of rows) {
    for (const field of ['JournalCode', 'CompteLib', 'PieceRef', 'PieceDate', 'EcritureLib']) {
      assert.notEqual(row[field], '', field)
    }
    assert.match(row.EcritureDate ?? '', /^\d{8}$/)
  }
})

test('the same days give the same bytes', async () => {
  for (const contents of ['datev', 'fec']) {
    const [first, second] = [await archive(contents), await archive(contents)]
    assert.ok(first.bytes.equals(second.bytes), contents)
  }
})

test('an export needs its own permission, whatever its format', async () => {
  const reader = await person(app, { permissions: ['reports:read', 'settings:write'] })
  for (const contents of ['datev', 'fec']) {
    const { status } = await reader.get(`/v1/admin/reports/export?contents=${contents}`)
    assert.equal(status, 403)
  }
})
