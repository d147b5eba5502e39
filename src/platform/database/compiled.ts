import type { Compilable } from 'kysely'
import { type Db, read } from './index.ts'

/** A placeholder in a compiled statement for a value of each run. */
class Slot {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}

const slots = new Proxy(
  {},
  {
    get: (_, name) => new Slot(String(name)),
    ownKeys() {
      throw new Error('A compiled read names its values one by one')
    },
  },
)

type Statement = { sql: string; valuesOf(values: object): unknown[] }

/**
 * A read that is built and compiled only once, for the most frequent queries of requests. `build`
 * runs once, with placeholders instead of values: it may pass them on, but must not decide anything
 * by them. A query with two forms needs two of these.
 */
export function compiled<V extends object, O>(
  build: (db: Db, values: V) => Compilable<O>,
): (db: Db, values: V) => Promise<O[]> {
  let statement: Statement | null = null
  return (db, values) => {
    statement ??= statementOf(build(db, slots as V))
    return read<O>(db, statement.sql, statement.valuesOf(values))
  }
}

/** `compiled` for a read of one row at most. */
export function compiledFirst<V extends object, O>(
  build: (db: Db, values: V) => Compilable<O>,
): (db: Db, values: V) => Promise<O | undefined> {
  const rows = compiled(build)
  return async (db, values) => (await rows(db, values))[0]
}

function statementOf(query: Compilable): Statement {
  const { sql, parameters } = query.compile()
  return {
    sql,
    valuesOf: (values) =>
      parameters.map((it) => (it instanceof Slot ? values[it.name as keyof typeof values] : it)),
  }
}
