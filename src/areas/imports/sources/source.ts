import type { SettledBy, Settlement } from '../outcomes/settle.ts'
import type { Resource, Staged } from '../staging/resources.ts'
import type { Cells } from './cells.ts'

export type System = 'whmcs' | 'paymenter' | 'fossbilling'

/** How a table of an old system becomes rows of a resource. */
export type TableMapping = {
  [R in Resource]: {
    readonly resource: R
    /** The row's id, where it is not in the column `id`. */
    readonly id?: (cells: Cells) => number
    /** Throws a RowFault for a row that cannot be what it should be. Null: none of ours. */
    readonly read: (cells: Cells) => Staged<R> | null
  }
}[Resource]

/** A table that is not imported, and whose amounts are told all the same. */
export type TableSums = { readonly sums: readonly string[] }

/** A system that dumps come from: its tables, and what is made of them. */
export type Source = {
  readonly system: System
  /** Names that stand in a dump of this system, each with columns that no other system has there. */
  readonly knownBy: Readonly<Record<string, readonly string[]>>
  /** The same of versions that are not supported. */
  readonly refused?: Readonly<Record<string, readonly string[]>>
  readonly tables: Readonly<Record<string, TableMapping | TableSums>>
  /** Tables of every complete dump, in addition to those that identify the system. */
  readonly needed?: readonly string[]
  /** The same of newer versions. */
  readonly neededSince?: { readonly major: number; readonly tables: readonly string[] }
  /** Rows with settings: name and value. */
  readonly settings: {
    readonly table: string
    readonly name: string
    readonly value: string
    readonly wanted: readonly string[]
  }
  /** What the settings say of the system. */
  readonly describe: (settings: ReadonlyMap<string, string>) => Description
  /** What follows from several tables of it, in this order. */
  readonly settled?: readonly Settlement[]
  /** What the settings say that settling asks for. */
  readonly settledBy?: (settings: ReadonlyMap<string, string>) => SettledBy
}

export type Description = {
  readonly version: string | null
  /** Whether the lines of its invoices hold the tax. */
  readonly taxMode: 'exclusive' | 'inclusive'
  /** Whether it charges tax. If not, customers pay its prices unchanged. */
  readonly taxed?: boolean
  /** Its URL, to tell installations apart; null if the dump does not contain it. */
  readonly installation?: string | null
}

/** One mapping, with the type of its resource kept. */
export function mapping<R extends Resource>(
  resource: R,
  read: (cells: Cells) => Staged<R> | null,
  id?: (cells: Cells) => number,
): TableMapping {
  return { resource, read, ...(id && { id }) } as unknown as TableMapping
}
