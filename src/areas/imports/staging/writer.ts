import { CompiledQuery } from 'kysely'
import type { Instant } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import { Column } from './column.ts'
import { type ColumnType, MADE_AT, type Resource, STAGED, type Staged } from './resources.ts'

export type ImportKey = { readonly tenantId: string; readonly id: string }

/** Collects rows and writes them with one statement per resource: each column is sent as an array. */
export class StagingWriter {
  readonly #gathered = new Map<Resource, Gathered>()
  readonly #sinceMs: number
  /** The number of collected rows. */
  rows = 0

  /** Rows without a creation time get ids of `since`. */
  constructor(since: Instant) {
    this.#sinceMs = Date.parse(since)
  }

  /** How much memory the rows take. */
  get bytes(): number {
    let bytes = 0
    for (const gathered of this.#gathered.values()) bytes += gathered.bytes
    return bytes
  }

  add<R extends Resource>(resource: R, place: number, sourceId: number, row: Staged<R>): void {
    let gathered = this.#gathered.get(resource)
    if (!gathered) {
      gathered = new Gathered(resource, this.#sinceMs)
      this.#gathered.set(resource, gathered)
    }
    gathered.add(place, sourceId, row)
    this.rows += 1
  }

  /** Writes the collected rows. They are kept, because the transaction may be repeated. */
  async flush(tx: Tx, { tenantId, id }: ImportKey): Promise<void> {
    for (const gathered of this.#gathered.values()) {
      if (gathered.rows === 0) continue
      const values = [tenantId, id, ...gathered.arrays()]
      await tx.executeQuery(CompiledQuery.raw(gathered.statement, values))
    }
  }

  /** Removes all collected rows. */
  clear(): void {
    for (const gathered of this.#gathered.values()) gathered.clear()
    this.rows = 0
  }
}

class Gathered {
  readonly statement: string
  rows = 0
  readonly #names: readonly string[]
  readonly #madeAt: string
  readonly #sinceMs: number
  readonly #keys = [new Column('bigint'), new Column('bigint'), new Column('id')] as const
  readonly #cells: readonly Column[]

  constructor(resource: Resource, sinceMs: number) {
    const columns = Object.entries(STAGED[resource])
    this.#names = columns.map(([name]) => name)
    this.#madeAt = MADE_AT[resource] ?? ''
    this.#sinceMs = sinceMs
    this.#cells = columns.map(([, type]) => new Column(type))
    this.statement = statementFor(resource, columns)
  }

  get bytes(): number {
    return this.#cells.reduce((sum, { length }) => sum + length, 0)
  }

  add(place: number, sourceId: number, row: Readonly<Record<string, unknown>>): void {
    const [places, sourceIds, ids] = this.#keys
    places.add(place)
    sourceIds.add(sourceId)
    ids.add(row[this.#madeAt] ?? this.#sinceMs)
    for (let index = 0; index < this.#names.length; index += 1) {
      this.#cells[index]?.add(row[this.#names[index] ?? ''])
    }
    this.rows += 1
  }

  arrays(): Buffer[] {
    return [...this.#keys, ...this.#cells].map((it) => it.array())
  }

  clear(): void {
    for (const column of [...this.#keys, ...this.#cells]) column.clear()
    this.rows = 0
  }
}

function statementFor(resource: Resource, columns: readonly [string, ColumnType][]): string {
  const names = ['row_number', 'source_id', 'target_id', ...columns.map(([name]) => name)]
  const types = ['bigint', 'bigint', 'uuid', ...columns.map(([, type]) => type)]
  // PostgreSQL's nested arrays have to be rectangular, so lists are sent as text.
  const parameters = types.map((it, index) => `$${index + 3}::${it === 'bigint[]' ? 'text' : it}[]`)
  const taken = names.map((name, index) =>
    types[index] === 'bigint[]' ? `${name}::bigint[]` : name,
  )
  return `insert into imports.staged_${resource} (tenant_id, import_id, ${names.join(', ')})
    select $1, $2, ${taken.join(', ')}
    from unnest(${parameters.join(', ')}) as given (${names.join(', ')})`
}
