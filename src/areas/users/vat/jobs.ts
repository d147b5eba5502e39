import { Type } from 'typebox'
import { Id } from '#lib/schema.ts'
import { MINUTE_MS } from '#lib/time.ts'
import { enqueue, job, schedule } from '#platform/jobs.ts'
import { sellerOf } from '#tenants'
import { findUser } from '../queries.ts'
import { noteAnswer } from './actions.ts'
import { lockVatNumbersToCheck, updateVatStatus } from './queries.ts'
import { askRegister } from './register.ts'
import { isInRegister, turnEnd } from './rules.ts'

const LOOK_MS = MINUTE_MS
const BATCH = 100

/** Asks the EU's register about somebody's VAT number. No sale ever waits for it (R2.4). */
export const checkVatNumber = job(
  'users.check-vat-number',
  Type.Object({ tenantId: Id, userId: Id }),
  async (context, { tenantId, userId }) => {
    const { db, config, outbound, signal, transact, clock } = context
    const user = await findUser(db, { tenantId, userId })
    if (config.viesUrl === null || !user?.vatNumber || user.vatCheckAt === null) return
    const { vatNumber } = user
    const { vatNumber: own } = await sellerOf(db, tenantId)
    const requester = own !== null && isInRegister(own) ? own : null
    const answer = isInRegister(vatNumber)
      ? await askRegister(
          outbound.for({ tenantId, purpose: 'vies' }),
          { url: config.viesUrl, signal },
          { vatNumber, requester },
        )
      : null
    await transact(async (tx) => {
      if (answer) await noteAnswer(tx, { tenantId, userId, vatNumber }, answer, clock.now())
      else await updateVatStatus(tx, { tenantId, userId }, { vatCheckAt: null })
    })
  },
  // The register turns away who asks too much at once.
  { concurrency: 2 },
)

/**
 * Finds numbers that are to be asked about: new ones, what the register did not answer, and old
 * answers. However often somebody changes theirs, it is asked once in a look.
 */
export const findVatNumbersToCheck = schedule(
  'users.find-vat-numbers-to-check',
  LOOK_MS,
  async ({ now, config, transact }) => {
    if (config.viesUrl === null) return
    await transact(async (tx) => {
      for (const { tenantId, userId } of await lockVatNumbersToCheck(tx, now, BATCH)) {
        await updateVatStatus(tx, { tenantId, userId }, { vatCheckAt: turnEnd(now) })
        await enqueue(tx, checkVatNumber, { tenantId, userId }, { key: userId })
      }
    })
  },
)
