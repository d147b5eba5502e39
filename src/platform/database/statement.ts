import pg, { type PoolClient } from 'pg'
import utils from 'pg/lib/utils.js'
import { fingerprintOf } from '../tracing/fingerprint.ts'
import { isTraced, traced } from '../tracing/index.ts'
import { answered } from './connection-watchdog.ts'
import { forgetNames, isOutdated } from './statement-names.ts'
import { asItIs, parserOf } from './types.ts'

/** A statement, with a name if it is to be prepared, and its values. */
export type Wanted = { name: string | undefined; text: string; values: readonly unknown[] }

type Field = { name: string; dataTypeID: number }
type Cells = readonly (string | null)[]
type Shape = { fields: readonly Field[]; rowOf: (cells: Cells) => object }

/** The result of a statement: rows in camelCase, and how many rows it read or changed. */
export type Answer = { rows: object[]; rowCount: number }

/** The outcome of a statement; `notRun` if an earlier one that was sent with it failed. */
export type Outcome = Answer | { error: unknown } | 'notRun'

/** A statement that this connection has prepared, of which only its success matters. */
export type Ahead = { readonly name: string; readonly values: readonly string[] }

/**
 * Runs one statement, sent together with those ahead of it: if one fails, the rest is not run. Rows become
 * objects as they arrive, without the lists that pg creates first.
 */
export function run(
  client: PoolClient,
  wanted: Wanted,
  ahead: readonly Ahead[] = [],
): Promise<Answer> {
  if (!isTraced()) return runOne(client, wanted, ahead)
  return tracedStatement(wanted.text, () => runOne(client, wanted, ahead))
}

/** Traces a statement, without its values. */
export function tracedStatement<T>(text: string, work: () => Promise<T>): Promise<T> {
  const { name, text: fingerprint } = fingerprintOf(text)
  const attributes = { 'db.system.name': 'postgresql', 'db.query.text': fingerprint }
  return traced(name, { kind: 'client', attributes }, work)
}

async function runOne(
  client: PoolClient,
  wanted: Wanted,
  ahead: readonly Ahead[],
): Promise<Answer> {
  const [outcome = 'notRun'] = await runTogether(client, [wanted], ahead)
  if (isAnswer(outcome)) return outcome
  const error = outcome === 'notRun' ? new Error('The statement was not run') : outcome.error
  leadBack(error)
  throw error
}

/** Makes an error's stack start at the caller, not at the socket that received it. */
export function leadBack(error: unknown): void {
  if (error instanceof Error) Error.captureStackTrace(error)
}

export function isAnswer(outcome: Outcome): outcome is Answer {
  return outcome !== 'notRun' && !('error' in outcome)
}

/**
 * Runs statements one after the other, sent together with those ahead of them, and returns the outcome of
 * each. They are one transaction to the database: if one fails, the earlier ones have changed nothing.
 */
export function runTogether(
  client: PoolClient,
  wanted: readonly Wanted[],
  ahead: readonly Ahead[],
): Promise<Outcome[]> {
  return answered(
    client,
    () =>
      new Promise<Outcome[]>((resolve) => {
        client.query(new Piece(wanted, ahead, resolve))
      }),
  )
}

/** The parts of pg's connection that are used here and missing in its types. */
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
 * The columns of a connection's prepared statements; null for those without rows. PostgreSQL does not
 * change them as long as the statement exists, so they need not be requested each time.
 */
const described = new WeakMap<Wire, Map<string, Shape | null>>()

/** A statement that is running: its columns, once they are known, and the rows received so far. */
class Statement {
  readonly name: string | undefined
  readonly text: string
  readonly values: readonly unknown[]
  shape: Shape | null = null
  readonly #rows: object[] = []
  #failure: unknown = null

  constructor({ name, text, values }: Wanted) {
    this.name = name
    this.text = text
    this.values = values.map(utils.prepareValue)
  }

  take(cells: Cells): void {
    if (this.#failure || !this.shape) return
    try {
      this.#rows.push(this.shape.rowOf(cells))
    } catch (error) {
      this.#failure = error
    }
  }

  /** `tag` is the final message of the database: `INSERT 0 3`, `SELECT 26`; `BEGIN` has no number. */
  endedWith(tag: string): Outcome {
    if (this.#failure) return { error: this.#failure }
    return { rows: this.#rows, rowCount: Number(tag.slice(tag.lastIndexOf(' ') + 1)) || 0 }
  }
}

/** Statements that are sent through pg together: the object that is given to the `query` of a client. */
class Piece implements pg.Submittable {
  readonly statements: readonly Statement[]
  readonly #ahead: readonly Ahead[]
  readonly #ended: (outcomes: Outcome[]) => void
  readonly #outcomes: Outcome[] = []
  /** How many of the statements ahead have not been answered yet. */
  #before: number

  constructor(
    wanted: readonly Wanted[],
    ahead: readonly Ahead[],
    ended: (outcomes: Outcome[]) => void,
  ) {
    this.statements = wanted.map((it) => new Statement(it))
    this.#ahead = ahead
    this.#before = ahead.length
    this.#ended = ended
  }

  /** The statement that is running; none once all are answered. */
  get #current(): Statement | undefined {
    return this.statements[this.#outcomes.length]
  }

  // pg uses these to record that a statement is prepared.
  get name(): string | undefined {
    return this.#current?.name
  }

  get text(): string | undefined {
    return this.#current?.text
  }

  submit(connection: pg.Connection): void {
    const wire = connection as unknown as Wire
    const shapes = described.get(wire)
    const parsed = new Set<string>()
    // Written at once: each write of its own would be a system call.
    wire.stream.cork?.()
    for (const { name, values } of this.#ahead) {
      wire.bind({ statement: name, values })
      wire.execute({})
    }
    for (const statement of this.statements) {
      const { name, text, values } = statement
      const known = name === undefined ? undefined : shapes?.get(name)
      if (known === undefined && !(name && (wire.parsedStatements[name] || parsed.has(name)))) {
        wire.parse({ text, name })
        if (name) parsed.add(name)
      }
      wire.bind({ statement: name, values })
      if (known === undefined) wire.describe({ type: 'P', name: '' })
      else statement.shape = known
      wire.execute({})
    }
    wire.sync()
    wire.stream.uncork?.()
  }

  handleRowDescription({ fields }: { fields: readonly Field[] }): void {
    const statement = this.#current
    if (statement) statement.shape = shapeOf(statement.text, fields)
  }

  handleDataRow({ fields }: { fields: Cells }): void {
    if (this.#before === 0) this.#current?.take(fields)
  }

  handleCommandComplete({ text }: { text: string }, wire: Wire): void {
    if (this.#before > 0) {
      this.#before -= 1
      return
    }
    const statement = this.#current
    if (!statement) return
    this.#outcomes.push(statement.endedWith(text))
    if (statement.name === undefined) return
    let known = described.get(wire)
    if (!known) {
      known = new Map()
      described.set(wire, known)
    }
    known.set(statement.name, statement.shape)
  }

  handleReadyForQuery(): void {
    this.#ended(this.#outcomes)
  }

  handleError(error: unknown): void {
    if (isOutdated(error)) forgetNames(this.name)
    this.#outcomes.push({ error })
    // A broken connection fails the remaining statements too.
    const ofOthers = error instanceof pg.DatabaseError ? 'notRun' : { error }
    while (this.#current) this.#outcomes.push(ofOthers)
    this.#ended(this.#outcomes)
  }

  // COPY is not used, and no statement is empty: it would be one without rows.
  handleEmptyQuery(): void {}
  handleCopyData(): void {}

  handleCopyInResponse(wire: Wire): void {
    wire.sendCopyFail('Rows are written by statements')
  }
}

const MAX_SHAPES = 2000
const shapes = new Map<string, Shape>()

/** The shape of a statement's rows; a migration may have changed it since the last run. */
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
 * A function from the cells of a row to its object, generated as one literal: filling an object key by key
 * takes as long as all the rest of reading it.
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

/** `paidAt` as `paid_at`; capitals in a row are one word. */
export function snakeCase(name: string): string {
  return name.replace(/[A-Z]+/g, (capitals, at) => (at > 0 ? '_' : '') + capitals.toLowerCase())
}
