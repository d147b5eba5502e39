import type pg from 'pg'
import type { PoolClient } from 'pg'
import utils from 'pg/lib/utils.js'
import { fingerprintOf } from '../tracing/fingerprint.ts'
import { isTraced, traced } from '../tracing/index.ts'
import { answered } from './silence.ts'
import { forgetNames, isOutdated } from './statement-names.ts'
import { asItIs, parserOf } from './types.ts'

/** A statement, by name if it is kept prepared, and its values. */
export type Wanted = { name: string | undefined; text: string; values: readonly unknown[] }

type Field = { name: string; dataTypeID: number }
type Cells = readonly (string | null)[]
type Shape = { fields: readonly Field[]; rowOf: (cells: Cells) => object }

/** What a statement answered: rows in camelCase, and how many it read or changed. */
export type Answer = { rows: object[]; rowCount: number }

/** A statement that this connection has prepared, and whose answer nobody wants but that it went well. */
export type Ahead = { readonly name: string; readonly values: readonly string[] }

/**
 * Runs one statement, in one piece with those that go ahead of it: where one fails the rest is not run.
 * Rows become objects as they arrive, without the lists that pg makes first.
 */
export function run(
  client: PoolClient,
  wanted: Wanted,
  ahead: readonly Ahead[] = [],
): Promise<Answer> {
  if (!isTraced()) return send(client, wanted, ahead)
  return tracedStatement(wanted.text, () => send(client, wanted, ahead))
}

/** Measures a statement, which is told of without its values. */
export function tracedStatement<T>(text: string, work: () => Promise<T>): Promise<T> {
  const { name, text: fingerprint } = fingerprintOf(text)
  const attributes = { 'db.system.name': 'postgresql', 'db.query.text': fingerprint }
  return traced(name, { kind: 'client', attributes }, work)
}

async function send(client: PoolClient, wanted: Wanted, ahead: readonly Ahead[]): Promise<Answer> {
  try {
    return await answered(
      client,
      () =>
        new Promise<Answer>((resolve, reject) => {
          client.query(new Statement(wanted, ahead, resolve, reject))
        }),
    )
  } catch (error) {
    // The stack leads back to whoever asked, not to the socket that brought the error.
    if (error instanceof Error) Error.captureStackTrace(error)
    if (isOutdated(error)) forgetNames(wanted.name)
    throw error
  }
}

/** What is used here of pg's connection, which its types do not show. */
type Wire = {
  readonly stream: { cork?(): void; uncork?(): void }
  readonly parsedStatements: Partial<Record<string, string>>
  parse(message: { text: string; name: string | undefined }): void
  bind(message: { statement: string | undefined; values: readonly unknown[] }): void
  describe(message: { type: 'P'; name: '' }): void
  execute(message: object): void
  sync(): void
  sendCopyFail(message: string): void
}

/**
 * What the rows of a connection's prepared statements look like; null where there are none. PostgreSQL
 * keeps to it as long as the statement lives, so it need not be asked each time.
 */
const described = new WeakMap<Wire, Map<string, Shape | null>>()

/** A statement on its way through pg: what a client calls on what is given to its `query`. */
class Statement implements pg.Submittable {
  readonly name: string | undefined
  readonly text: string
  readonly values: readonly unknown[]
  readonly #ahead: readonly Ahead[]
  readonly #resolve: (answer: Answer) => void
  readonly #reject: (error: unknown) => void
  readonly #rows: object[] = []
  #shape: Shape | null = null
  #rowCount = 0
  /** How many of those ahead have not been answered yet. */
  #before: number
  #failure: unknown = null

  constructor(
    { name, text, values }: Wanted,
    ahead: readonly Ahead[],
    resolve: (answer: Answer) => void,
    reject: (error: unknown) => void,
  ) {
    this.name = name
    this.text = text
    this.values = values.map(utils.prepareValue)
    this.#ahead = ahead
    this.#before = ahead.length
    this.#resolve = resolve
    this.#reject = reject
  }

  submit(connection: pg.Connection): void {
    const wire = connection as unknown as Wire
    const known = this.name === undefined ? undefined : described.get(wire)?.get(this.name)
    // In one piece: each write of its own would be a call into the system.
    wire.stream.cork?.()
    for (const { name, values } of this.#ahead) {
      wire.bind({ statement: name, values })
      wire.execute({})
    }
    if (known === undefined && (!this.name || wire.parsedStatements[this.name] === undefined)) {
      wire.parse({ text: this.text, name: this.name })
    }
    wire.bind({ statement: this.name, values: this.values })
    if (known === undefined) wire.describe({ type: 'P', name: '' })
    else this.#shape = known
    wire.execute({})
    wire.sync()
    wire.stream.uncork?.()
  }

  handleRowDescription({ fields }: { fields: readonly Field[] }): void {
    this.#shape = shapeOf(this.text, fields)
  }

  handleDataRow({ fields }: { fields: Cells }): void {
    if (this.#before > 0 || this.#failure || !this.#shape) return
    try {
      this.#rows.push(this.#shape.rowOf(fields))
    } catch (error) {
      this.#failure = error
    }
  }

  handleCommandComplete({ text }: { text: string }, wire: Wire): void {
    if (this.#before > 0) {
      this.#before -= 1
      return
    }
    // `INSERT 0 3`, `SELECT 26`; `BEGIN` has no number.
    this.#rowCount = Number(text.slice(text.lastIndexOf(' ') + 1)) || 0
    if (this.name === undefined) return
    let known = described.get(wire)
    if (!known) {
      known = new Map()
      described.set(wire, known)
    }
    known.set(this.name, this.#shape)
  }

  handleReadyForQuery(): void {
    if (this.#failure) this.#reject(this.#failure)
    else this.#resolve({ rows: this.#rows, rowCount: this.#rowCount })
  }

  handleError(error: unknown): void {
    this.#reject(error)
  }

  // Nothing here is sent or fetched by COPY, and no statement is empty: it would be one without rows.
  handleEmptyQuery(): void {}
  handleCopyData(): void {}

  handleCopyInResponse(wire: Wire): void {
    wire.sendCopyFail('Rows are written by statements')
  }
}

const MAX_SHAPES = 2000
const shapes = new Map<string, Shape>()

/** The shape of a statement's rows; a migration may have changed it since the last time. */
function shapeOf(text: string, fields: readonly Field[]): Shape {
  const known = shapes.get(text)
  if (known && isOf(known, fields)) return known
  const shape = { fields, rowOf: rowMaker(fields) }
  if (shapes.size < MAX_SHAPES) shapes.set(text, shape)
  return shape
}

function isOf(shape: Shape, fields: readonly Field[]): boolean {
  return (
    shape.fields.length === fields.length &&
    shape.fields.every(({ name, dataTypeID }, index) => {
      const field = fields[index]
      return field?.name === name && field.dataTypeID === dataTypeID
    })
  )
}

/**
 * A function from the cells of a row to its object, written out as one literal: filling an object
 * key by key takes as long as all the rest of reading it.
 */
function rowMaker(fields: readonly Field[]): Shape['rowOf'] {
  const parsers = fields.map(({ dataTypeID }) => parserOf(dataTypeID))
  const properties = fields.map(({ name }, index) => {
    const cell = `cells[${index}]`
    const value =
      parsers[index] === asItIs ? cell : `${cell} === null ? null : parsers[${index}](${cell})`
    return `${JSON.stringify(camelCase(name))}: ${value}`
  })
  const make = new Function('parsers', 'cells', `return { ${properties.join(', ')} }`)
  return (cells) => make(parsers, cells) as object
}

/** `paid_at` as `paidAt`. */
export function camelCase(name: string): string {
  return name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
}
