import { DumpFault } from '../dump/fault.ts'
import { fossbilling } from './fossbilling/index.ts'
import { paymenter } from './paymenter/index.ts'
import type { Source, System } from './source.ts'
import { whmcs } from './whmcs/index.ts'

/** The systems that dumps can be of: a new one is a folder here, and a line. */
export const SOURCES: readonly Source[] = [whmcs, paymenter, fossbilling]

/** The tables of a dump by name, with their columns as far as they are known. */
export type KnownTables = ReadonlyMap<string, ReadonlySet<string>>

export type Detected = { readonly source: Source; readonly prefix: string }

/**
 * Which system a dump is of, by its tables and their columns: a prefix that stands before all of
 * their names is found too. Throws a DumpFault for one that is none of these, or several in one.
 */
export function detect(tables: KnownTables, wanted: System | null): Detected {
  const found = SOURCES.flatMap((source) =>
    prefixesIn(tables, source.knownBy).map((prefix) => ({ source, prefix })),
  ).filter(({ source }) => wanted === null || source.system === wanted)
  const [first, second] = found
  if (!first) throw new DumpFault(whyUnknown(tables))
  if (second) throw new DumpFault('several_systems')
  return first
}

function whyUnknown(tables: KnownTables): string {
  if (tables.size === 0) return 'not_a_dump'
  const old = SOURCES.some(({ refused }) => refused && prefixesIn(tables, refused).length > 0)
  return old ? 'unsupported_version' : 'unknown_system'
}

function prefixesIn(tables: KnownTables, knownBy: Source['knownBy']): string[] {
  const [[first = ''] = []] = Object.entries(knownBy)
  const prefixes = [...tables.keys()]
    .filter((name) => name.endsWith(first))
    .map((name) => name.slice(0, name.length - first.length))
  return prefixes.filter((prefix) =>
    Object.entries(knownBy).every(([name, columns]) => {
      const there = tables.get(prefix + name)
      return there !== undefined && columns.every((column) => there.has(column))
    }),
  )
}
