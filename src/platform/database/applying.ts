import { setTimeout as sleep } from 'node:timers/promises'
import type { PoolClient } from 'pg'
import { codeOf } from './index.ts'

/**
 * Whoever waits for a lock that shuts others out keeps all who come after them waiting too, for as long
 * as the slowest of those who hold it. So nobody's lock is waited for longer than this.
 */
const LOCK_MS = 500
const [FIRST_PAUSE_MS, LONGEST_PAUSE_MS] = [250, 10_000]
/** Ten minutes of looking for a moment in which nobody is in the way. */
const TRIES = 64

const [LOCK_NOT_AVAILABLE, DEADLOCK] = ['55P03', '40P01']

/** The first line of a migration that is no transaction, and which says why: `-- in steps: what is so large`. */
const IN_STEPS = /^-- in steps: \S/
const NEXT_STEP = /^-- next step\b.*$/m
/** Waits for who was there before it, and keeps nobody waiting meanwhile. */
const PATIENT = /\bindex concurrently\b/i

/** A migration as it is run: how it is noted comes with the last of it. */
export type Applied = { sql: string; note: () => Promise<void> }

/**
 * Runs a migration while others work on the same tables. It is one transaction, or where it says so one
 * step after the other, each by itself: what would keep others waiting as a whole. Steps are run from the
 * first again when the process dies in them, so that each may run twice.
 */
export async function applyBesideWork(client: PoolClient, { sql, note }: Applied): Promise<void> {
  if (!IN_STEPS.test(sql)) {
    return inTurn(async () => {
      await client.query(`begin; set local lock_timeout = ${LOCK_MS}`)
      try {
        await client.query(sql)
        await note()
        await client.query('commit')
      } catch (error) {
        await client.query('rollback')
        throw error
      }
    })
  }
  for (const step of sql.split(NEXT_STEP)) {
    await client.query(`set lock_timeout = ${PATIENT.test(step) ? 0 : LOCK_MS}`)
    await inTurn(() => client.query(step))
  }
  await client.query('reset lock_timeout')
  await note()
}

/** Does what may meet somebody who is in the way, and tries again later if it does. */
async function inTurn(work: () => Promise<unknown>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await work()
      return
    } catch (error) {
      if (!isInTheWay(error)) throw error
      if (attempt === TRIES)
        throw new Error('Others were in its way all the time; end them, or try later', {
          cause: error,
        })
    }
    await sleep(Math.min(FIRST_PAUSE_MS * 2 ** (attempt - 1), LONGEST_PAUSE_MS))
  }
}

function isInTheWay(error: unknown): boolean {
  const code = codeOf(error)
  return code === LOCK_NOT_AVAILABLE || code === DEADLOCK
}
