import type { FastifyRequest } from 'fastify'
import { type Static, type TProperties, Type } from 'typebox'
import { Problem } from '#lib/problem.ts'
import { Body, Id, Nullable, OneOf, Resource } from '#lib/schema.ts'
import type { Tx } from '../database/index.ts'
import { problemLanguageOf } from './language.ts'

/** The most objects of one bulk operation. */
const MOST = 100

const Count = Type.Integer({ minimum: 0 })

export const BulkResult = Resource('BulkResult', {
  dryRun: Type.Boolean(),
  done: Count,
  unchanged: { ...Count, description: 'They were as wanted before' },
  failed: Count,
  rows: Type.Array(
    Type.Object({
      id: Type.String(),
      outcome: OneOf(['done', 'unchanged', 'failed']),
      code: Nullable(Type.String({ description: 'The `code` of the error' })),
      message: Nullable(Type.String()),
    }),
    { description: 'The result of each object, in the order of the request' },
  ),
})
export type BulkResult = Static<typeof BulkResult>

/** The shared description of bulk operations. */
export const BULK =
  'Each object is changed in its own transaction, so a refused object does not stop the others. Repeating the ' +
  'request changes nothing that is already done. With `dryRun` every change is tried and rolled back, and the answer is the ' +
  'expected result.'

/** The body of a bulk operation: one of several actions, for objects by their ids. */
export function BulkBody<const A extends readonly string[], P extends TProperties>(
  actions: A,
  further: P,
) {
  return Body({
    action: OneOf(actions),
    ids: Type.Array(Id, { minItems: 1, maxItems: MOST, uniqueItems: true }),
    dryRun: Type.Optional(Type.Boolean({ default: false })),
    ...further,
  })
}

/** The result of an action: `unchanged` if the object was already as wanted. */
export type Outcome = 'done' | 'unchanged'

type Wanted = { readonly ids: readonly string[]; readonly dryRun?: boolean | undefined }
/** The request: it changes one object at a time, and has the language of its sender. */
type Request = Pick<FastifyRequest, 'transactOn' | 'headers'>

/** Thrown to roll back the transaction of a dry run, with the result that it would have had. */
class RolledBack<T> extends Error {
  readonly result: T

  constructor(result: T) {
    super('A dry run')
    this.result = result
  }
}

/** Runs work in a transaction. A dry run returns the same, and is rolled back. */
export async function orTry<T>(
  dryRun: boolean,
  transact: <R>(work: (tx: Tx) => Promise<R>) => Promise<R>,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  try {
    return await transact(async (tx) => {
      const result = await work(tx)
      if (dryRun) throw new RolledBack(result)
      return result
    })
  } catch (error) {
    if (error instanceof RolledBack) return error.result
    throw error
  }
}

/**
 * Does one thing to each of these objects, one after the other and each in a transaction of its own. A dry run
 * rolls each back. A `Problem` is the result of its object; any other error ends the operation.
 */
export async function inBulk(
  { ids, dryRun = false }: Wanted,
  request: Request,
  act: (tx: Tx, id: string) => Promise<Outcome>,
): Promise<BulkResult> {
  return inTurn({ ids, dryRun }, request, (id) =>
    orTry(
      dryRun,
      (work) => request.transactOn(id, work),
      (tx) => act(tx, id),
    ),
  )
}

/**
 * Does one thing to each of these objects, one after the other, without a transaction: `act` looks at `dryRun`
 * itself. A `Problem` is the result of its object; any other error ends the operation.
 */
export async function inTurn(
  { ids, dryRun = false }: Wanted,
  request: Pick<Request, 'headers'>,
  act: (id: string) => Promise<Outcome>,
): Promise<BulkResult> {
  const rows: BulkResult['rows'] = []
  for (const id of ids) {
    try {
      rows.push({ id, outcome: await act(id), code: null, message: null })
    } catch (error) {
      if (error instanceof Problem && error.statusCode < 500) {
        const message = error.messageIn(problemLanguageOf(request))
        rows.push({ id, outcome: 'failed', code: error.code, message })
      } else throw error
    }
  }
  const count = (wanted: string) => rows.filter(({ outcome }) => outcome === wanted).length
  return {
    ...{ dryRun, done: count('done'), unchanged: count('unchanged'), failed: count('failed') },
    rows,
  }
}
