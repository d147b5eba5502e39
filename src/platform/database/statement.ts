import pg, { type PoolClient } from 'pg'
import { fingerprintOf } from '../tracing/fingerprint.ts'
import { isTraced, traced } from '../tracing/index.ts'
import { answered } from './silence.ts'
import { asItIs, parserOf } from './types.ts'

/** A statement, by name if it is kept prepared, and its values. */
export type Wanted = { name: string | undefined; text: string; values: readonly unknown[] }

type Field = { name: string; dataTypeID: number }
type Cells = readonly (string | null)[]
type Shape = { fields: readonly Field[]; rowOf: (cells: Cells) => object }

/** What a statement answered: rows in camelCase, and how many it read or changed. */
export type Answer = { rows: object[]; rowCount: number }

/** Runs one statement. Rows become objects as they arrive, without the lists that pg makes first. */
export function run(client: PoolClient, wanted: Wanted): Promise<Answer> {
  if (!isTraced()) return send(client, wanted)
  return tracedStatement(wanted.text, () => send(client, wanted))
}

/** Measures a statement, which is told of without its values. */
export function tracedStatement<T>(text: string, work: () => Promise<T>): Promise<T> {
  const { name, text: fingerprint } = fingerprintOf(text)
  const attributes = { 'db.system.name': 'postgresql', 'db.query.text': fingerprint }
  return traced(name, { kind: 'client', attributes }, work)
}

async function send(client: PoolClient, wanted: Wanted): Promise<Answer> {
  try {
    return await answered(
      client,
      () =>
        new Promise<Answer>((resolve, reject) => {
          client.query(new Statement(wanted, resolve, reject))
        }),
    )
  } catch (error) {
    // The stack leads back to whoever asked, not to the socket that brought the error.
    if (error instanceof Error) Error.captureStackTrace(error)
    throw error
  }
}

class Statement extends pg.Query {
  readonly name: string | undefined
  readonly #text: string
  readonly #rows: object[] = []
  #shape: Shape | null = null
  #failure: unknown = null

  constructor(
    { name, text, values }: Wanted,
    resolve: (answer: Answer) => void,
    reject: (error: unknown) => void,
  ) {
    super(text, values as unknown[], (error, result) => {
      const failure = error ?? this.#failure
      if (failure) reject(failure)
      else resolve({ rows: this.#rows, rowCount: result.rowCount ?? 0 })
    })
    this.name = name
    this.#text = text
  }

  handleRowDescription({ fields }: { fields: readonly Field[] }): void {
    this.#shape = shapeOf(this.#text, fields)
  }

  handleDataRow({ fields }: { fields: Cells }): void {
    if (this.#failure || !this.#shape) return
    try {
      this.#rows.push(this.#shape.rowOf(fields))
    } catch (error) {
      this.#failure = error
    }
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
