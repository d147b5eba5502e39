import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { DAY_MS, later } from '#lib/time.ts'
import { transact } from '#platform/database/index.ts'
import { resealColumn } from '#platform/resealing.ts'
import { secretsOf } from '#platform/secrets.ts'
import { testApp, until } from '#test/app.ts'
import { apiKey, otherTenant, type Person, person } from '#test/people.ts'
import { receiver } from '#test/receiver.ts'
import { codesIn, voucherBatch, voucherCodes } from '#test/vouchers.ts'
import { findKey, sealedCodes, sealedKeys } from '../codes/keys.ts'
import { makeSome } from './actions.ts'

const lines: string[] = []
const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) })
const target = await receiver(null)
const app = await testApp(null, { log, config: { privateHosts: [target.place] } })
const { tenantId } = app
const db = app.deps.database.of(tenantId)

const BATCHES = '/v1/admin/vouchers/batches'
const DAY = 86_400

/** Staff whose credential outlives every movement of the clock. */
async function staff(permissions: string[]): Promise<Person> {
  const made = await person(app, { permissions })
  return { ...made, ...(await apiKey(app, made, { permission: 'read-write' })) }
}

const clerk = await staff(['vouchers:read', 'vouchers:write', 'webhooks:write'])

async function customer(): Promise<Person> {
  const made = await person(app)
  return { ...made, ...(await apiKey(app, made, { permission: 'read-write' })) }
}

function redeem(ada: Person, code: string) {
  return ada.post('/v1/billing/vouchers/redeem', { code })
}

async function vouchersOf(batchId: string, query = ''): Promise<Record<string, unknown>[]> {
  const { body, text } = await clerk.get(`/v1/admin/vouchers?batchId=${batchId}&limit=100${query}`)
  assert.ok(body.data, text)
  return body.data
}

test('a batch says how many codes exist, when they are deleted, and how many were redeemed', async () => {
  const expiresAt = later(app.deps.clock.now(), 365 * DAY_MS)
  const made = await clerk.post(BATCHES, { name: 'Fair', amountCents: 1000, count: 3, expiresAt })
  assert.equal(made.status, 202, made.text)
  const { id, codes, redeemed, createdBy } = made.body
  assert.deepEqual([codes, redeemed, createdBy], ['pending', 0, clerk.userId])
  const batch = await until('the codes', async () => {
    const { body } = await clerk.get(`${BATCHES}/${id}`)
    return body.codes === 'available' && body
  })
  assert.deepEqual([batch.made, batch.currency, batch.expiresAt], [3, 'EUR', expiresAt])
  const file = await clerk.post(`${BATCHES}/${id}/download`)
  assert.match(file.headers['content-type'] ?? '', /^text\/csv/)
  const [head, first = ''] = file.text.split('\r\n')
  assert.equal(head, 'code,amount,currency,expires_at')
  const shape = /^([0-9A-HJKMNP-TV-Z]{4}-){3}[0-9A-HJKMNP-TV-Z]{4},10\.00,EUR,/
  assert.match(first, shape)
  const [code = ''] = codesIn(file)
  const ada = await customer()
  assert.equal((await redeem(ada, code)).status, 200)
  const { data, total } = (await clerk.get(`${BATCHES}?count=true`)).body
  assert.ok(total >= 1)
  assert.equal(data.find((it: { id: string }) => it.id === id).redeemed, 1)
  const [redeemedOne] = await vouchersOf(id, `&redeemedBy=${ada.userId}`)
  assert.deepEqual(
    [redeemedOne?.state, redeemedOne?.last4, redeemedOne?.redeemedBy],
    ['redeemed', code.slice(-4), ada.userId],
  )
  assert.equal((await vouchersOf(id, '&state=active')).length, 2)
  assert.equal((await vouchersOf(id, '&state=redeemed')).length, 1)
})

test('V48: a batch of 10,000 codes is made by one job, each once', async () => {
  const codes = await voucherCodes(clerk, { count: 10_000 })
  assert.equal(new Set(codes).size, 10_000)
})

test('a job that stopped goes on where it was, and a second one makes nothing more', async () => {
  const batch = await voucherBatch(clerk, { count: 3 })
  await app.deps.database.execute(
    'update vouchers.batches set made = 1, ready_at = null where id = $1',
    [batch.id],
  )
  await app.deps.database.execute(
    `delete from vouchers.vouchers where batch_id = $1
       and id in (select id from vouchers.vouchers where batch_id = $1 order by id limit 2)`,
    [batch.id],
  )
  const part = { tenantId, id: batch.id, secrets: app.deps.secrets, limit: 1 }
  const now = app.deps.clock.now()
  const rounds = []
  for (let count = 0; count < 3; count += 1) {
    rounds.push(await transact(db, (tx) => makeSome(tx, part, now)))
  }
  assert.deepEqual(rounds, [true, false, false])
  assert.equal((await vouchersOf(batch.id)).length, 3)
})

test('a download that broke off can be repeated for a day, or until it is confirmed', async () => {
  const { id } = await voucherBatch(clerk, { count: 2 })
  const confirm = () => clerk.post(`${BATCHES}/${id}/confirm-download`)
  assert.equal((await confirm()).body.code, 'voucher_codes_not_downloaded')
  const first = codesIn(await clerk.post(`${BATCHES}/${id}/download`))
  const { body } = await clerk.get(`${BATCHES}/${id}`)
  assert.equal(body.codesUntil, later(body.downloadedAt, DAY_MS))
  assert.deepEqual(codesIn(await clerk.post(`${BATCHES}/${id}/download`)), first)
  const confirmed = await confirm()
  assert.deepEqual([confirmed.body.codes, confirmed.body.codesUntil], ['deleted', null])
  assert.equal((await confirm()).status, 200)
  const gone = await clerk.post(`${BATCHES}/${id}/download`)
  assert.deepEqual([gone.status, gone.body.code], [410, 'voucher_codes_deleted'])
  assert.equal((await redeem(await customer(), first[0] ?? '')).status, 200)
})

test('a day after the download, and 30 days without one, the codes are deleted', async () => {
  const downloaded = await voucherBatch(clerk)
  const forgotten = await voucherBatch(clerk)
  await clerk.post(`${BATCHES}/${downloaded.id}/download`)
  const codesOf = async ({ id }: { id: string }) => {
    const { rows } = await app.deps.database.execute(
      `select count(sealed_code)::int as sealed, batch.codes_deleted_at is not null as deleted
       from vouchers.vouchers voucher join vouchers.batches batch on batch.id = voucher.batch_id
       where batch.id = $1 group by 2`,
      [id],
    )
    return rows[0]
  }
  await app.advance(DAY)
  assert.equal((await clerk.post(`${BATCHES}/${downloaded.id}/download`)).status, 410)
  const isDeleted = async (batch: { id: string }) => {
    const found = await codesOf(batch)
    return found?.deleted === true && found.sealed === 0
  }
  await app.eventually('the downloaded codes are deleted', () => isDeleted(downloaded))
  assert.deepEqual(await codesOf(forgotten), { sealed: 1, deleted: false })
  await app.advance(29 * DAY)
  await app.eventually('the others are deleted', () => isDeleted(forgotten))
})

test('a repeated download under the same key is refused: its answer is not kept', async () => {
  const { id } = await voucherBatch(clerk)
  const headers = { 'idempotency-key': 'download' }
  const file = await clerk.post(`${BATCHES}/${id}/download`, {}, { headers })
  assert.equal(codesIn(file).length, 1)
  const again = await clerk.post(`${BATCHES}/${id}/download`, {}, { headers })
  assert.deepEqual([again.status, again.body.code], [409, 'already_answered'])
})

test('staff who only see vouchers get no codes, and a key that only reads gets none either', async () => {
  const { id } = await voucherBatch(clerk)
  const reader = await staff(['vouchers:read'])
  assert.equal((await reader.get(`${BATCHES}/${id}`)).status, 200)
  assert.equal((await reader.post(`${BATCHES}/${id}/download`)).status, 403)
  assert.equal((await reader.post(BATCHES, { name: 'x', amountCents: 1, count: 1 })).status, 403)
  const readOnly = await apiKey(app, clerk, { permission: 'read' })
  assert.equal((await readOnly.post(`${BATCHES}/${id}/download`)).status, 403)
  const none = await staff(['store:write'])
  assert.equal((await none.get(BATCHES)).status, 403)
  const elsewhere = await otherTenant(app, 'batches-elsewhere.test')
  const stranger = await person(app, { tenantId: elsewhere, admin: true })
  for (const action of ['download', 'confirm-download', 'void']) {
    assert.equal((await stranger.post(`${BATCHES}/${id}/${action}`)).status, 404)
  }
})

test('void vouchers are refused; the rest of a batch is made void at once, redeemed ones stay', async () => {
  const { id } = await voucherBatch(clerk, { count: 4 })
  const codes = codesIn(await clerk.post(`${BATCHES}/${id}/download`))
  const [first = '', second = '', third = ''] = codes
  const ada = await customer()
  await redeem(ada, first)
  const all = await vouchersOf(id)
  const idOf = (code: string) => all.find(({ last4 }) => last4 === code.slice(-4))?.id
  const voidOne = (code: string) => clerk.post(`/v1/admin/vouchers/${idOf(code)}/void`)
  assert.equal((await voidOne(second)).body.state, 'void')
  const one = await clerk.get(`/v1/admin/vouchers/${idOf(second)}`)
  assert.deepEqual([one.body.state, one.body.batchId], ['void', id])
  assert.equal((await voidOne(second)).body.code, 'voucher_void')
  assert.equal((await voidOne(first)).body.code, 'voucher_redeemed')
  assert.equal((await redeem(ada, second)).body.code, 'voucher_void')
  assert.equal(codesIn(await clerk.post(`${BATCHES}/${id}/download`)).length, 2)
  const voided = await clerk.post(`${BATCHES}/${id}/void`)
  assert.deepEqual([voided.status, voided.body.codes], [200, 'deleted'])
  assert.equal((await redeem(ada, third)).body.code, 'voucher_void')
  assert.equal((await vouchersOf(id, '&state=void')).length, 3)
  assert.equal((await vouchersOf(id, '&state=redeemed')).length, 1)
  assert.equal((await clerk.post(`${BATCHES}/${id}/void`)).status, 409)
})

const REFUSED = [
  [{ amountCents: 50_001 }, 422, 'amountCents', 'must be at most 50000'],
  [{ expiresAt: '2020-01-01T00:00:00.000Z' }, 422, 'expiresAt', 'must be in the future'],
  [{ currency: 'XXQ' }, 400, 'currency', 'is not one to choose from'],
  [{ count: 10_001 }, 400, 'count', null],
  [{ count: 0 }, 400, 'count', null],
  [{ amountCents: 0 }, 400, 'amountCents', null],
  [{ name: ' ' }, 400, 'name', null],
] as const

for (const [wrong, status, path, message] of REFUSED) {
  test(`a batch with ${JSON.stringify(wrong)} is a ${status} at its field`, async () => {
    const wanted = { name: 'Fair', amountCents: 500, count: 1, ...wrong }
    const answer = await clerk.post(BATCHES, wanted)
    assert.equal(answer.status, status, answer.text)
    assert.equal(answer.body.details[0].path, path)
    if (message) assert.equal(answer.body.details[0].message, message)
  })
}

test('codes are valid after the key of the installation has changed', async () => {
  const [code = ''] = await voucherCodes(clerk)
  const { id } = await voucherBatch(clerk)
  const old = app.deps.secrets
  const before = await findKey(db, old, { tenantId })
  const changed = secretsOf([Buffer.alloc(32, 9), Buffer.alloc(32, 7)])
  for (const column of [sealedKeys, sealedCodes]) {
    const result = await resealColumn(app.deps.database.everywhere, changed, column)
    assert.ok(result.sealed > 0)
    assert.deepEqual(result.unreadable, [])
  }
  const only = secretsOf([Buffer.alloc(32, 9)])
  assert.deepEqual(await findKey(db, only, { tenantId }), before)
  for (const column of [sealedKeys, sealedCodes]) {
    const back = secretsOf([Buffer.alloc(32, 7), Buffer.alloc(32, 9)])
    await resealColumn(app.deps.database.everywhere, back, column)
  }
  assert.equal((await redeem(await customer(), code)).status, 200)
  assert.equal(codesIn(await clerk.post(`${BATCHES}/${id}/download`)).length, 1)
})

test('V45: codes are in no log, table, audit entry, webhook, error or list', async () => {
  const hook = { url: `${target.url}/hook`, events: ['voucher.redeemed'] }
  assert.equal((await clerk.post('/v1/admin/webhook-endpoints', hook)).status, 201)
  const { id } = await voucherBatch(clerk, { count: 3, name: 'Secret' })
  const file = await clerk.post(`${BATCHES}/${id}/download`, {}, keyed('d'))
  const [code = '', other = ''] = codesIn(file)
  const ada = await customer()
  const wrong = 'WR0NG-C0DE-7777-7777'
  const body = (entered: string) => ({ code: entered })
  const redeemUrl = '/v1/billing/vouchers/redeem'
  const answers = [
    await ada.post(redeemUrl, body(code), keyed('r')),
    await ada.post(redeemUrl, body(code), keyed('s')),
    await ada.post(redeemUrl, body(wrong), keyed('w')),
    await ada.post(redeemUrl, { code: other, codes: other }, keyed('x')),
    await ada.get('/v1/billing/credits'),
    await clerk.get(`/v1/admin/vouchers?batchId=${id}`),
    await clerk.get(BATCHES),
  ]
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 409, 404, 400, 200, 200, 200],
  )
  const sent = await until('the webhook', () =>
    target.received.find(({ body: text }) => text.includes('voucher.redeemed')),
  )
  const stored = await everything()
  assert.ok(stored.includes('Secret'))
  const seen = [...lines, ...answers.map(({ text }) => text), sent.body, stored].join('\n')
  for (const secret of [code, other, wrong]) {
    const plain = secret.replaceAll('-', '')
    assert.ok(!seen.includes(secret) && !seen.toUpperCase().includes(plain), 'a code was kept')
  }
  assert.ok(seen.includes(code.slice(-4)))
})

function keyed(key: string) {
  return { headers: { 'idempotency-key': key } }
}

/** All rows of all tables, as text. */
async function everything(): Promise<string> {
  const { rows: tables } = await app.deps.database.execute(
    `select n.nspname || '.' || quote_ident(c.relname) as name
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind in ('r', 'p') and n.nspname !~ '^(pg_|information_schema)'
       and has_table_privilege(c.oid, 'select')`,
  )
  const texts = []
  for (const { name } of tables as { name: string }[]) {
    const { rows } = await app.deps.database.execute(
      `select string_agg(to_jsonb(t)::text, ' ') as text from ${name} t`,
    )
    texts.push(String(rows[0]?.text ?? ''))
  }
  return texts.join('\n')
}
