import { MINUTE_MS } from '#lib/time.ts'
import { enqueue, job, schedule } from '#platform/jobs.ts'
import { sellerOf } from '#tenants'
import { findUser } from '../queries.ts'
import { checkVatNumber } from '../work.ts'
import { storeRegisterAnswer } from './actions.ts'
import { lockVatNumbersToCheck, updateVatStatus } from './queries.ts'
import { queryVies } from './register.ts'
import { isInRegister, turnEnd } from './rules.ts'

const LOOK_MS = MINUTE_MS
const BATCH = 100

/** Asks the EU's register about a person's VAT number. No sale ever waits for it (R2.4). */
export const checkVatNumberJob = job(
  checkVatNumber,
  async (context, { tenantId, userId }) => {
    const { db, config, outbound, signal, transact, clock } = context
    const user = await findUser(db, { tenantId, userId })
    if (config.viesUrl === null || !user?.vatNumber || user.vatCheckAt === null) return
    const { vatNumber } = user
    const { vatNumber: own } = await sellerOf(db, tenantId)
    const requester = own !== null && isInRegister(own) ? own : null
    const answer = isInRegister(vatNumber)
      ? await queryVies(
          outbound.for({ tenantId, purpose: 'vies' }),
          { url: config.viesUrl, signal },
          { vatNumber, requester },
        )
      : null
    await transact(async (tx) => {
      if (answer)
        await storeRegisterAnswer(tx, { tenantId, userId, vatNumber }, answer, clock.now())
      else await updateVatStatus(tx, { tenantId, userId }, { vatCheckAt: null })
    })
  },
  // The register refuses too many requests at once.
  { concurrency: 2 },
)

/**
 * Finds numbers that have to be checked: new ones, those without an answer, and those with an old
 * answer. However often a person changes theirs, it is checked once in a run.
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
