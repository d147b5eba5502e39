import { setTimeout as sleep } from 'node:timers/promises'
import type { PoolClient } from 'pg'
import { codeOf } from './index.ts'

/**
 * A transaction that waits for an exclusive lock makes all later ones wait too, until the slowest holder
 * releases it. So no lock is waited for longer than this.
 */
const LOCK_MS = 500
const [FIRST_PAUSE_MS, LONGEST_PAUSE_MS] = [250, 10_000]
/** Ten minutes of attempts to get the locks. */
const TRIES = 64

const [LOCK_NOT_AVAILABLE, DEADLOCK] = ['55P03', '40P01']

/** The first line of a migration that is not one transaction, with the reason: `-- in steps: what is so large`. */
const IN_STEPS = /^-- in steps: \S/
const NEXT_STEP = /^-- next step\b.*$/m
/** A statement that waits for earlier transactions without blocking later ones. */
const PATIENT = /\bindex concurrently\b/i

/** A migration to run; `note` records at its end that it was applied. */
export type Applied = { sql: string; note: () => Promise<void> }

/**
 * Runs a migration while others use the same tables. It is one transaction, or, if it says so, several steps,
 * each committed by itself, because they would block others for too long as a whole. If the process dies during
 * the steps, all of them are run again, so each must be repeatable.
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

/** Runs work that may meet locks of others, and tries again later if it does. */
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
