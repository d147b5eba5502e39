import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Static, type TSchema, Type } from 'typebox'
import { commissionChanged } from '#affiliation'
import { areas } from '#app/areas.ts'
import { adminAttention, creditAdded, paymentFailed, refundMade } from '#billing'
import { newId } from '#lib/id.ts'
import { cents } from '#lib/money.ts'
import { eggsChanged, serverCrashed } from '#panel'
import { contextOf, transact } from '#platform/database/index.ts'
import { type EventType, emit, event } from '#platform/events.ts'
import type { Job } from '#platform/jobs.ts'
import { until } from '#test/app.ts'
import { person } from '#test/people.ts'
import { world } from '#test/world.ts'
import * as users from '#users'

const OWNED = { tenantId: Type.String(), userId: Type.String() }

/** The registered jobs that exist to notify people, or other systems. */
const notifying = areas
  .flatMap(({ jobs = [] }) => jobs)
  .map(({ name }) => name)
  .filter((name) => /\.(tell|mail)-|crash-reported/.test(name))

/** The jobs that write in a transaction, and the ids of those that have failed after their work. */
const wrote = new Set<string>()
const failed = new Set<string>()
let failing = false

/**
 * A job whose work is done twice: by one try while the world is made, and once `failing` by two tries,
 * of which the first fails after its work is committed and before the queue hears of it.
 */
function doneTwice(it: Job): Job {
  if (it.everyMs !== null) return it
  return {
    ...it,
    async run(context, payload) {
      let jobId: string | null = null
      const transact: typeof context.transact = (work) =>
        context.transact((tx) => {
          jobId = contextOf(tx).jobId
          wrote.add(it.name)
          return work(tx)
        })
      await it.run({ ...context, transact }, payload)
      const known: string | null = jobId
      const fails = failing && known !== null && notifying.includes(it.name)
      if (!fails) return it.run({ ...context, transact }, payload)
      if (failed.has(known)) return
      failed.add(known)
      throw new Error('The process ended after the commit')
    },
  }
}

const twice = areas.map((area) => ({
  ...area,
  ...(area.jobs && { jobs: area.jobs.map(doneTwice) }),
}))
const there = await world({ areas: twice })
const { app, db, owner, admin, tenantId, objects } = there
async function announce<P extends TSchema>(
  event: EventType<P>,
  payload: Static<P> & { tenantId: string },
): Promise<void> {
  await transact(db, (tx) => emit<P>(tx, event, payload))
}

async function announceAll(): Promise<void> {
  const { userId, email, name } = await person(app)
  const [me, amount] = [
    { tenantId, userId },
    { amountCents: cents(700), currency: 'EUR' },
  ]
  await announce(users.passwordChanged, me)
  await announce(users.registrationAttempted, me)
  await announce(users.refreshTokenReused, { ...me, sessionId: newId() })
  await announce(users.secondFactorAdded, { ...me, factor: 'totp' })
  await announce(users.secondFactorRemoved, { ...me, factor: 'totp' })
  await announce(users.recoveryCodesMade, me)
  await announce(users.recoveryCodeUsed, { ...me, left: 3 })
  await announce(users.passkeyCopied, { ...me, passkeyId: newId(), name: 'Key' })
  await announce(users.accountConnected, { ...me, provider: 'discord', name: 'Ada' })
  await announce(users.accountDisconnected, { ...me, provider: 'discord', name: 'Ada' })
  const change = { ...me, changeId: newId(), email }
  const asked = { newEmail: 'next@example.org', name, locale: 'en' as const }
  await announce(users.emailChangeRequested, { ...change, ...asked })
  await announce(users.emailChanged, { ...change, oldEmail: 'old@example.org' })
  await announce(users.userImpersonated, {
    ...me,
    impersonatorId: admin.userId,
    sessionId: newId(),
  })
  await transact(db, (tx) =>
    tx
      .updateTable('users.users')
      .set({ vatNumber: 'FR40303265045', vatStatus: 'invalid' })
      .where('id', '=', userId)
      .execute(),
  )
  await announce(users.vatNumberRefused, me)
  const password = 'correct horse battery staple'
  const account = { email: 'new.account@example.org', password, name: 'Grace' }
  assert.equal((await app.post('/v1/auth/register', account)).status, 201)
  assert.equal((await app.post('/v1/auth/password/forgot', { email })).status, 202)
  await announce(creditAdded, { ...me, ...amount, why: 'goodwill' })
  await announceSales()
  await announceHelp()
}

async function announceSales(): Promise<void> {
  const { userId } = owner
  const [me, amount] = [
    { tenantId, userId },
    { amountCents: cents(700), currency: 'EUR' },
  ]
  const { invoice, payment } = await there.checkout(owner)
  const failure = { purpose: 'checkout' as const, code: 'card_declined', retry: null }
  const attempt = { attemptId: payment.id, invoiceIds: [invoice.id] }
  await announce(paymentFailed, { ...me, ...attempt, ...failure })
  const paid = objects.get('/v1/billing/invoices/:id') ?? null
  const refund = { refundId: newId(), invoiceId: paid, creditNoteId: null, to: 'payment' as const }
  await announce(refundMade, { ...me, ...refund, ...amount })
  const data = { amountCents: 700, currency: 'EUR', customer: 'ada@example.org', invoice: 'INV-7' }
  await announce(adminAttention, { tenantId, kind: 'late_payment', data })
  const affiliateId = objects.get('/v1/admin/affiliates/:id') ?? ''
  await announce(commissionChanged, { tenantId, affiliateId, change: 'available', ...amount })
  const clientId = objects.get('/v1/admin/oauth-clients/:id') ?? ''
  const reused = event(
    'oidc.refresh-token-reused',
    Type.Object({ ...OWNED, clientId: Type.String() }),
  )
  await announce(reused, { ...me, clientId })
  await announce(eggsChanged, { tenantId, nodeId: there.nodeId, eggIds: [there.eggId] })
  const serverUuid = objects.get('/v1/panel/api/remote/servers/:uuid') ?? ''
  await announce(serverCrashed, { tenantId, nodeId: there.nodeId, serverUuid })
}

/** A ticket is assigned to somebody else, answered and closed by staff, and reopened by its customer. */
async function announceHelp(): Promise<void> {
  const id = objects.get('/v1/tickets/:id') ?? ''
  const colleague = await person(app, { admin: true })
  const staff = `/v1/admin/tickets/${id}`
  const answer = { kind: 'public', body: 'We look into it.', force: true }
  for (const { status, text } of [
    await admin.patch(staff, { assigneeId: colleague.userId }),
    await admin.post(`${staff}/messages`, answer),
    await admin.post(`${staff}/close`),
    await owner.post(`/v1/tickets/${id}/reopen`),
  ]) {
    assert.ok(status < 300, text)
  }
}

async function doubles(): Promise<unknown[]> {
  const { rows } = await app.deps.database.execute(`
    select kind, title as text, count(*)::int from notifications.notifications
    group by tenant_id, user_id, kind, title, body, link, data having count(*) > 1
    union all
    select kind, subject, count(*)::int from notifications.mails
    group by tenant_id, recipient, kind, subject, body having count(*) > 1
    union all
    select type, null, count(*)::int from webhooks.deliveries
    group by tenant_id, endpoint_id, message_id, type having count(*) > 1`)
  return rows
}

async function atRest(): Promise<void> {
  await until('no job that notifies waits', async () => {
    const { rows } = await app.deps.database.execute(
      `select name from jobs.job where state in ('created', 'retry', 'active') and name = any ($1)`,
      [notifying],
    )
    return rows.length === 0
  })
}

test('a job that is done twice notifies a person once about each event', async () => {
  await atRest()
  assert.deepEqual(await doubles(), [])
})

test('every job that notifies a person, and fails after its commit, has notified once', async () => {
  failing = true
  await announceAll()
  await atRest()
  assert.deepEqual(
    notifying.filter((it) => !wrote.has(it)),
    [],
  )
  assert.ok(failed.size >= 20, `${failed.size} jobs have failed`)
  assert.deepEqual(await doubles(), [])
})
