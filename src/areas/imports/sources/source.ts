import type { Resource, Staged } from '../staging/resources.ts'
import type { Cells } from './cells.ts'

export type System = 'whmcs' | 'paymenter' | 'fossbilling'

/** How a table of an old system becomes rows of a resource. */
export type TableMapping = {
  [R in Resource]: {
    readonly resource: R
    /** The column that is the row's id; `id` unless it is said. */
    readonly id?: string
    /** Throws a RowFault for a row that cannot be what it should be. */
    readonly read: (cells: Cells) => Staged<R>
  }
}[Resource]

/** A table that is not imported, and whose amounts are told all the same. */
export type TableSums = { readonly sums: readonly string[] }

/** A system that dumps come from: its tables, and what is made of them. */
export type Source = {
  readonly system: System
  /** Names that stand in a dump of this system, each with columns that no other system has there. */
  readonly knownBy: Readonly<Record<string, readonly string[]>>
  /** Schemas of that system that look alike and are not supported, by the same marks. */
  readonly refused?: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>
  readonly tables: Readonly<Record<string, TableMapping | TableSums>>
  /** Rows with settings: name and value. */
  readonly settings: {
    readonly table: string
    readonly name: string
    readonly value: string
    readonly wanted: readonly string[]
  }
  /** What the settings say of the system. */
  readonly describe: (settings: ReadonlyMap<string, string>) => {
    readonly version: string | null
    readonly taxMode: 'exclusive' | 'inclusive'
  }
}

/** One mapping, with the type of its resource kept. */
export function mapping<R extends Resource>(
  resource: R,
  read: (cells: Cells) => Staged<R>,
  id?: string,
): TableMapping {
  return { resource, read, ...(id && { id }) } as unknown as TableMapping
}
