import type { PgBoss } from 'pg-boss'
import { type Instant, instant } from '#lib/time.ts'
import type { Database } from './database/index.ts'
import { SCHEMA } from './jobs.ts'
import { forgetFailure, hasFailed, makeDue } from './schedule-leases.ts'

/** The queue of jobs whose last attempt failed. */
export const DEAD_LETTERS = 'dead-letters'

/** A job whose last attempt failed, and which waits for an operator. */
export type DeadLetter = {
  id: string
  name: string
  payload: unknown
  error: string | null
  failedAt: Instant
}

/** Whose failed jobs: those of a tenant and, for operators of the platform, those of no tenant too. */
export type Whose = { tenantId: string; platform: boolean }

/** What an operator can do with failed jobs, and with scheduled work that fails repeatedly. */
export type DeadLetters = {
  deadLetters(whose: Whose, limit: number): Promise<DeadLetter[]>
  /** Whether an operator can run this one again. */
  isDead(whose: Whose, id: string): Promise<boolean>
  retry(whose: Whose, id: string): Promise<boolean>
  discard(whose: Whose, id: string): Promise<boolean>
}

/** `wake` is called with the name of scheduled work that is to be checked again. */
export function deadLettersOf(
  boss: PgBoss,
  database: Database,
  wake: (name: string) => Promise<void>,
): DeadLetters {
  const own = `name = $1 and state = 'created'
    and (data #>> '{payload,tenantId}' = $2 or $3 and data #>> '{payload,tenantId}' is null)`
  async function isOwn({ tenantId, platform }: Whose, id: string): Promise<boolean> {
    const { rows } = await database.execute(
      `select id from ${SCHEMA}.job where ${own} and id = $4`,
      [DEAD_LETTERS, tenantId, platform, id],
    )
    return rows.length > 0
  }
  return {
    async deadLetters({ tenantId, platform }, limit) {
      const { rows } = await database.execute(
        `select id, source_name as name, data -> 'payload' as payload,
                source_output ->> 'message' as error, created_on as "failedAt"
         from ${SCHEMA}.job where ${own}
         union all
         select id, name, '{}'::jsonb, error, failed_at from platform.schedules
         where $3 and failures > 0
         order by "failedAt" desc limit $4`,
        [DEAD_LETTERS, tenantId, platform, limit],
      )
      return (rows as (DeadLetter & { failedAt: Date })[]).map((row) => ({
        ...row,
        failedAt: instant(row.failedAt),
      }))
    },
    async isDead(whose, id) {
      return (await isOwn(whose, id)) || (whose.platform && (await hasFailed(database, id)))
    },
    async retry(whose, id) {
      if (await isOwn(whose, id)) return (await boss.redrive(DEAD_LETTERS, { ids: [id] })) > 0
      const name = whose.platform ? await makeDue(database, id) : null
      if (name) await wake(name)
      return name !== null
    },
    async discard({ tenantId, platform }, id) {
      const { rows } = await database.execute(
        `delete from ${SCHEMA}.job where ${own} and id = $4 returning id`,
        [DEAD_LETTERS, tenantId, platform, id],
      )
      return rows.length > 0 || (platform && (await forgetFailure(database, id)))
    },
  }
}
