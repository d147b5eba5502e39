import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type TSchema, Type } from 'typebox'
import { csvLine } from '#lib/csv.ts'
import { OneOf } from '#lib/schema.ts'
import type { Deps } from '../deps.ts'

/** The format of a report. */
export const FormatQuery = {
  format: Type.Optional(
    OneOf(['json', 'csv'], 'By default what the `Accept` header asks for: JSON, or `text/csv`'),
  ),
}

type Cell = string | number | boolean | null

/** A report as a table: the names of its columns, and its rows in batches. */
export type Table<Name extends string> = {
  /** The name of the file, without its extension. */
  readonly name: string
  readonly columns: readonly Name[]
  readonly batches: AsyncIterable<readonly Readonly<Record<Name, Cell>>[]>
}

/** The two formats of a report's response. */
export function answers<T extends TSchema>(schema: T) {
  return {
    200: {
      content: {
        'application/json': { schema },
        'text/csv': { schema: Type.String() },
      },
    },
  }
}

/** Whether a report is requested as CSV; the query takes precedence over the header. */
export function wantsCsv({
  query,
  headers,
}: Pick<FastifyRequest, 'headers'> & { query: unknown }): boolean {
  const { format } = query as { format?: 'json' | 'csv' }
  if (format) return format === 'csv'
  return /^\s*text\/csv\b/i.test(headers.accept ?? '')
}

/** Sends a table as CSV, a batch at a time: it is never in memory as a whole. */
export async function sendCsv<Name extends string>(
  { method }: Pick<FastifyRequest, 'method'>,
  reply: FastifyReply,
  { name, columns, batches }: Table<Name>,
  log: Deps['log'],
): Promise<never> {
  reply
    .type('text/csv; charset=utf-8')
    .header('content-disposition', `attachment; filename="${name}.csv"`)
  const texts = textsOf(columns, batches)
  // Before anything is sent: an immediate failure still gets a response of its own.
  const first = await texts.next()
  if (method === 'HEAD') {
    await texts.return(undefined)
    return reply.send(Readable.from([])) as never
  }
  async function* lines() {
    try {
      yield csvLine(columns)
      if (!first.done) yield first.value
      yield* texts
    } catch (error) {
      log.error({ err: error }, `the report ${name} could not be sent`)
      throw error
    }
  }
  return reply.send(Readable.from(lines())) as never
}

async function* textsOf<Name extends string>(
  columns: readonly Name[],
  batches: Table<Name>['batches'],
): AsyncGenerator<string> {
  for await (const rows of batches) {
    yield rows.map((row) => csvLine(columns.map((column) => row[column]))).join('')
  }
}

/** A report that is small enough to be read at once. */
export async function* atOnce<R>(rows: readonly R[]): AsyncGenerator<readonly R[]> {
  yield rows
}

/** A long list in batches of `limit` rows, each after the last row of the previous one. */
export async function* inBatches<R>(
  limit: number,
  list: (after: R | null) => Promise<readonly R[]>,
): AsyncGenerator<readonly R[]> {
  for (let after: R | null = null; ; ) {
    const rows: readonly R[] = await list(after)
    if (rows.length > 0) yield rows
    if (rows.length < limit) return
    after = rows.at(-1) ?? null
  }
}

/** How many rows of a CSV file are read at a time. */
export const BATCH = 5000
