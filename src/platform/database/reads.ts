import type { Pool } from 'pg'
import { isTraced } from '../tracing/index.ts'
import { Connection, connect, type PrepareClient } from './driver.ts'
import { type Answer, isAnswer, leadBack, type Outcome, tracedStatement } from './statement.ts'
import { isOutdated, statementName } from './statement-names.ts'

/** Runs a statement that reads, and returns its rows. */
export type Reader = (sql: string, values: readonly unknown[]) => Promise<unknown[]>

type Read = {
  readonly sql: string
  readonly values: readonly unknown[]
  readonly done: (answer: Answer) => void
  readonly failed: (error: unknown) => void
}

/** The most reads that are sent together: the first is answered only when the last is. */
const MOST_TOGETHER = 8

/**
 * Reads the rows that one tenant sees. Reads that are requested at the same time, or while all connections are busy,
 * are sent to the database together: the round trip costs more than most reads. Each fails on its own.
 */
export function readerOf(pool: Pool, tenant: string, prepare: PrepareClient): Reader {
  /** Reads that are sent together as soon as there is a connection. */
  let waiting: Read[] | null = null

  async function onConnection<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    const connection = new Connection(await connect(pool, prepare), tenant)
    try {
      return await work(connection)
    } finally {
      connection.client.release()
    }
  }

  async function sendAll(reads: Read[]): Promise<void> {
    try {
      const outcomes = await onConnection((connection) => {
        if (waiting === reads) waiting = null
        return connection.runTogether(reads.map(wantedOf))
      })
      for (const [index, read] of reads.entries()) settle(read, outcomes[index] ?? 'notRun')
    } catch (error) {
      if (waiting === reads) waiting = null
      for (const { failed } of reads) failed(error)
    }
  }

  function settle(read: Read, outcome: Outcome): void {
    if (isAnswer(outcome)) read.done(outcome)
    else if (outcome !== 'notRun' && !isOutdated(outcome.error)) read.failed(outcome.error)
    // Repeats reads that did not run because another failed, or that a migration has outdated.
    else onConnection((it) => it.run(read.sql, read.values)).then(read.done, read.failed)
  }

  function ask(sql: string, values: readonly unknown[]): Promise<Answer> {
    return new Promise((done, failed) => {
      const read = { sql, values, done, failed }
      if (waiting && waiting.length < MOST_TOGETHER) waiting.push(read)
      else {
        waiting = [read]
        void sendAll(waiting)
      }
    })
  }

  return async (sql, values) => {
    try {
      const { rows } = await (isTraced()
        ? tracedStatement(sql, () => ask(sql, values))
        : ask(sql, values))
      return rows
    } catch (error) {
      leadBack(error)
      throw error
    }
  }
}

function wantedOf({ sql, values }: Read) {
  return { name: statementName(sql), text: sql, values }
}
