import { createHmac } from 'node:crypto'
import { sql } from 'kysely'
import { DAY_MS, type Instant, later, SECOND_MS } from '#lib/time.ts'
import type { UserKey } from '#platform/area.ts'
import type { Db, Tx } from '#platform/database/index.ts'
import type { Deps } from '#platform/deps.ts'
import type { Secrets } from '#platform/secrets.ts'
import { sellerOf } from '#tenants'
import { findUser, type UserRow } from '../queries.ts'
import { storeRegisterAnswer } from './actions.ts'
import { type Answer, queryVies } from './register.ts'
import { isInRegister } from './rules.ts'

/** A person waits for the answer: a register that takes longer counts as unavailable. */
const WAIT_MS = 4 * SECOND_MS
const KEPT_MS = DAY_MS

type NumberKey = { readonly tenantId: string; readonly vatNumber: string }

/** The register's status of a typed number; `unchecked` if it has no such numbers, or is not asked. */
export type TypedStatus = Answer['status'] | 'unchecked'

type Asking = {
  readonly db: Db
  readonly now: Instant
  /** Runs before the register is asked; throws if its caller has asked too often. */
  readonly spend: () => Promise<void>
  readonly transact: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>
}

/**
 * The register's answer about a number that is not stored for a person yet: an answer of the last day, else the
 * register is asked and its answer stored. Not in a transaction: the register may take some seconds.
 */
export async function lookUpVatNumber(
  { secrets, config, outbound }: Deps,
  { tenantId, vatNumber }: NumberKey,
  { db, now, spend, transact }: Asking,
): Promise<TypedStatus> {
  if (config.viesUrl === null || !isInRegister(vatNumber)) return 'unchecked'
  const subject = subjectOf(secrets, vatNumber)
  const known = await findAnswer(db, { tenantId, subject }, now)
  if (known) return known.status
  await spend()
  const { vatNumber: own } = await sellerOf(db, tenantId)
  const requester = own !== null && isInRegister(own) ? own : null
  const place = { url: config.viesUrl, signal: AbortSignal.timeout(WAIT_MS) }
  const vies = outbound.for({ tenantId, purpose: 'vies' })
  const answer = await queryVies(vies, place, { vatNumber, requester })
  if (answer.status === 'unavailable') return answer.status
  await transact((tx) => upsertAnswer(tx, { tenantId, subject, ...answer, checkedAt: now }))
  return answer.status
}

/**
 * Applies the register's answer, which was given while the number was typed, to the person who has just saved
 * the number: they are taxed as they were shown. Returns their updated row.
 */
export async function applyTypedAnswer(
  tx: Tx,
  secrets: Secrets,
  user: UserRow,
  now: Instant,
): Promise<UserRow> {
  const { tenantId, id: userId, vatNumber, vatCheckAt } = user
  if (vatNumber === null || vatCheckAt === null) return user
  const subject = subjectOf(secrets, vatNumber)
  const answer = await findAnswer(tx, { tenantId, subject }, now)
  if (!answer) return user
  const key: UserKey = { tenantId, userId }
  await storeRegisterAnswer(tx, { ...key, vatNumber }, answer, now)
  return (await findUser(tx, key)) ?? user
}

type AnswerKey = { readonly tenantId: string; readonly subject: string }

function findAnswer(db: Db, { tenantId, subject }: AnswerKey, now: Instant) {
  return db
    .selectFrom('users.vat_answers')
    .select(['status', 'requester', 'consultationNumber'])
    .where('tenantId', '=', tenantId)
    .where('subject', '=', subject)
    .where('checkedAt', '>', later(now, -KEPT_MS))
    .executeTakeFirst()
}

type Kept = AnswerKey & Exclude<Answer, { status: 'unavailable' }> & { readonly checkedAt: Instant }

async function upsertAnswer(tx: Tx, row: Kept): Promise<void> {
  const { status, requester, consultationNumber, checkedAt } = row
  await tx
    .insertInto('users.vat_answers')
    .values(row)
    .onConflict((it) =>
      it
        .columns(['tenantId', 'subject'])
        .doUpdateSet({ status, requester, consultationNumber, checkedAt }),
    )
    .execute()
}

/** Deletes answers that are too old to be used. Returns how many. */
export async function deleteOldAnswers(tx: Tx, now: Instant, limit: number): Promise<number> {
  const before = later(now, -KEPT_MS)
  const { numAffectedRows } = await sql`
    delete from users.vat_answers where (tenant_id, subject) in (
      select tenant_id, subject from users.vat_answers where checked_at <= ${before}
      limit ${limit} for update skip locked)`.execute(tx)
  return Number(numAffectedRows ?? 0)
}

function subjectOf(secrets: Secrets, vatNumber: string): string {
  const [current] = secrets.keysFor('vat-numbers')
  if (!current) throw new Error('No secret key')
  return createHmac('sha256', current.key).update(vatNumber).digest('base64url')
}
