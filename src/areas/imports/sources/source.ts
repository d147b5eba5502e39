import type { SettledBy, Settlement } from '../outcomes/settle.ts'
import type { Resource, Staged } from '../staging/resources.ts'
import type { Cells } from './cells.ts'

export type System = 'whmcs' | 'paymenter' | 'fossbilling'

/** How a table of an old system is mapped to rows of a resource. */
export type TableMapping = {
  [R in Resource]: {
    readonly resource: R
    /** The id of a row, if it is not in the column `id`. */
    readonly id?: (cells: Cells) => number
    /** Throws a RowFault for an invalid row. Null: the row is not imported. */
    readonly read: (cells: Cells) => Staged<R> | null
  }
}[Resource]

/** A table that is not imported, but whose amounts are reported. */
export type TableSums = { readonly sums: readonly string[] }

/** A system whose dumps can be imported: its tables, and how they are mapped. */
export type Source = {
  readonly system: System
  /** Tables of this system, each with columns by which it differs from tables of this name in other systems. */
  readonly knownBy: Readonly<Record<string, readonly string[]>>
  /** Likewise for versions that are not supported. */
  readonly refused?: Readonly<Record<string, readonly string[]>>
  readonly tables: Readonly<Record<string, TableMapping | TableSums>>
  /** Tables of every complete dump, in addition to those that identify the system. */
  readonly needed?: readonly string[]
  /** Likewise for newer versions. */
  readonly neededSince?: { readonly major: number; readonly tables: readonly string[] }
  /** Rows with settings: name and value. */
  readonly settings: {
    readonly table: string
    readonly name: string
    readonly value: string
    readonly wanted: readonly string[]
  }
  /** Facts about the installation, from its settings. */
  readonly describe: (settings: ReadonlyMap<string, string>) => Description
  /** The settlements that this system needs, in this order. */
  readonly settled?: readonly Settlement[]
  /** The values from the settings that settlements need. */
  readonly settledBy?: (settings: ReadonlyMap<string, string>) => SettledBy
}

export type Description = {
  readonly version: string | null
  /** Whether the lines of its invoices include the tax. */
  readonly taxMode: 'exclusive' | 'inclusive'
  /** Whether prices of its catalogue include the tax, if that differs from its lines. */
  readonly catalogTaxMode?: 'exclusive' | 'inclusive'
  /** Whether it charges tax. If not, customers pay its prices unchanged. */
  readonly taxed?: boolean
  /** Its URL, to tell installations apart; null if the dump does not contain it. */
  readonly installation?: string | null
}

/** A mapping that keeps the type of its resource. */
export function mapping<R extends Resource>(
  resource: R,
  read: (cells: Cells) => Staged<R> | null,
  id?: (cells: Cells) => number,
): TableMapping {
  return { resource, read, ...(id && { id }) } as unknown as TableMapping
}
