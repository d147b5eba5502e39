import { newId } from '#lib/id.ts'
import type { Instant } from '#lib/time.ts'
import type { PeopleKey, UserKey } from '#platform/area.ts'
import type { Tx } from '#platform/database/index.ts'
import { emit } from '#platform/events.ts'
import { vatNumberRefused } from '../events.ts'
import { lockUser } from '../queries.ts'
import { insertVatCheck, updateVatStatus, wantChecks } from './queries.ts'
import type { Answer } from './register.ts'
import { askAgainAt, statusWithoutAnswer } from './rules.ts'

/**
 * Stores the register's answer about a number, unless its person has another number by now. If the register
 * does not know it, the reverse charge ends for what is invoiced from now on, and the person is notified;
 * invoices issued before stay as they are (R2.4).
 */
export async function storeRegisterAnswer(
  tx: Tx,
  { vatNumber, ...key }: UserKey & { vatNumber: string },
  answer: Answer,
  now: Instant,
): Promise<void> {
  const user = await lockUser(tx, key)
  if (!user || user.deletedAt || user.vatNumber !== vatNumber || user.vatCheckAt === null) return
  if (answer.status === 'unavailable') {
    const vatCheckTries = user.vatCheckTries + 1
    const vatStatus = statusWithoutAnswer(user.vatStatus)
    const vatCheckAt = askAgainAt(vatCheckTries, now)
    return updateVatStatus(tx, key, { vatStatus, vatCheckAt, vatCheckTries })
  }
  const { status, requester, consultationNumber } = answer
  const { tenantId, userId } = key
  await insertVatCheck(tx, {
    ...{ tenantId, id: newId(), userId, vatNumber, status },
    ...{ requester, consultationNumber, checkedAt: now },
  })
  await updateVatStatus(tx, key, { vatStatus: status, vatCheckAt: null, vatCheckTries: 0 })
  if (status === 'invalid' && user.vatStatus !== 'invalid') {
    await emit(tx, vatNumberRefused, { tenantId, userId })
  }
}

/** Requests another check of these people's numbers; people without a number are left out. */
export async function recheckVatNumbers(tx: Tx, people: PeopleKey, now: Instant): Promise<void> {
  if (people.userIds.length > 0) await wantChecks(tx, people, now)
}
