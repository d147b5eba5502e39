import { CompiledQuery } from 'kysely'
import type { Instant } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import { idAt } from './ids.ts'
import { type ColumnType, MADE_AT, type Resource, STAGED, type Staged } from './resources.ts'

export type ImportKey = { readonly tenantId: string; readonly id: string }

/**
 * Gathers rows and writes them with one statement per resource: the columns go as arrays, in the
 * text form that the database reads them in.
 */
export class StagingWriter {
  readonly #gathered = new Map<Resource, Gathered>()
  readonly #since: Instant
  /** How many rows are held. */
  rows = 0
  /** About how much memory they take. */
  characters = 0

  /** Rows of which nobody knows when they came to be get ids of `since`. */
  constructor(since: Instant) {
    this.#since = since
  }

  add<R extends Resource>(resource: R, place: number, sourceId: number, row: Staged<R>): void {
    let gathered = this.#gathered.get(resource)
    if (!gathered) {
      gathered = new Gathered(resource, this.#since)
      this.#gathered.set(resource, gathered)
    }
    this.characters += gathered.add(place, sourceId, row)
    this.rows += 1
  }

  /** Writes what was gathered. */
  async flush(tx: Tx, { tenantId, id }: ImportKey): Promise<void> {
    for (const gathered of this.#gathered.values()) {
      const values = [tenantId, id, ...gathered.arrays()]
      await tx.executeQuery(CompiledQuery.raw(gathered.statement, values))
    }
  }
}

class Gathered {
  readonly statement: string
  readonly #names: readonly string[]
  readonly #types: readonly ColumnType[]
  readonly #madeAt: string
  readonly #since: Instant
  readonly #arrays: string[][]

  constructor(resource: Resource, since: Instant) {
    const columns = Object.entries(STAGED[resource])
    this.#names = columns.map(([name]) => name)
    this.#types = columns.map(([, type]) => type)
    this.#madeAt = MADE_AT[resource] ?? ''
    this.#since = since
    this.#arrays = [[], [], [], ...columns.map(() => [])]
    this.statement = statementFor(resource, columns)
  }

  add(place: number, sourceId: number, row: Readonly<Record<string, unknown>>): number {
    const arrays = this.#arrays
    arrays[0]?.push(`${place}`)
    arrays[1]?.push(`${sourceId}`)
    arrays[2]?.push(idAt(String(row[this.#madeAt] ?? this.#since)))
    let characters = 0
    for (let index = 0; index < this.#names.length; index += 1) {
      const text = elementOf(row[this.#names[index] ?? ''], this.#types[index] ?? 'text')
      arrays[index + 3]?.push(text)
      characters += text.length
    }
    return characters
  }

  arrays(): string[] {
    return this.#arrays.map((it) => `{${it.join(',')}}`)
  }
}

function statementFor(resource: Resource, columns: readonly [string, ColumnType][]): string {
  const names = ['row_number', 'source_id', 'target_id', ...columns.map(([name]) => name)]
  const types = ['bigint', 'bigint', 'uuid', ...columns.map(([, type]) => type)]
  // An array of arrays would have to be a rectangle: lists travel as text.
  const parameters = types.map((it, index) => `$${index + 3}::${it === 'bigint[]' ? 'text' : it}[]`)
  const taken = names.map((name, index) =>
    types[index] === 'bigint[]' ? `${name}::bigint[]` : name,
  )
  return `insert into imports.staged_${resource} (tenant_id, import_id, ${names.join(', ')})
    select $1, $2, ${taken.join(', ')}
    from unnest(${parameters.join(', ')}) as given (${names.join(', ')})`
}

/** A value as an element of an array's text. */
function elementOf(value: unknown, type: ColumnType): string {
  if (value === null || value === undefined) return 'NULL'
  switch (type) {
    case 'boolean':
      return value === true ? 't' : 'f'
    case 'bigint':
      return String(value)
    case 'bigint[]':
      return `"{${(value as readonly unknown[]).join(',')}}"`
    default: {
      const text = String(value)
      const plain = !text.includes('"') && !text.includes('\\')
      return plain ? `"${text}"` : `"${text.replace(/["\\]/g, '\\$&')}"`
    }
  }
}
