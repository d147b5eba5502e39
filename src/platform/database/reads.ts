import type { Pool } from 'pg'
import { isTraced } from '../tracing/index.ts'
import { Connection, connect, type PrepareClient } from './driver.ts'
import { type Answer, isAnswer, leadBack, type Outcome, tracedStatement } from './statement.ts'
import { isOutdated, statementName } from './statement-names.ts'

/** Runs a statement that reads, and answers its rows. */
export type Reader = (sql: string, values: readonly unknown[]) => Promise<unknown[]>

type Read = {
  readonly sql: string
  readonly values: readonly unknown[]
  readonly done: (answer: Answer) => void
  readonly failed: (error: unknown) => void
}

/** So many go together at most: the first is answered when the last is. */
const MOST_TOGETHER = 8

/**
 * Reads the rows that one tenant sees. What is asked for at the same time, or while all connections are at
 * work, goes to the database in one piece: the way there costs more than most reads. Each fails alone.
 */
export function readerOf(pool: Pool, tenant: string, prepare: PrepareClient): Reader {
  /** Those that go together as soon as there is a connection. */
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
    // What another's failure kept from running, and what a migration has outdated.
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
