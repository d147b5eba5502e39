import { DumpFault } from '../dump/fault.ts'
import { fossbilling } from './fossbilling/index.ts'
import { paymenter } from './paymenter/index.ts'
import type { Source, System } from './source.ts'
import { whmcs } from './whmcs/index.ts'

/** The supported systems. A new one is a folder here, and an entry in this list. */
export const SOURCES: readonly Source[] = [whmcs, paymenter, fossbilling]

/** The tables of a dump by name, with their columns if known. */
export type KnownTables = ReadonlyMap<string, ReadonlySet<string>>

export type Detected = { readonly source: Source; readonly prefix: string }

/**
 * Detects the system of a dump, by its tables and their columns, and the prefix before all of their
 * names. Throws a DumpFault for an unknown system, or for several in one dump.
 */
export function detect(tables: KnownTables, wanted: System | null): Detected {
  const found = SOURCES.flatMap((source) =>
    prefixesIn(tables, source.knownBy).map((prefix) => ({ source, prefix })),
  ).filter(({ source }) => wanted === null || source.system === wanted)
  const [first, second] = found
  if (!first) throw whyUnknown(tables)
  if (second) throw new DumpFault('several_systems')
  return first
}

function whyUnknown(tables: KnownTables): DumpFault {
  if (tables.size === 0) return new DumpFault('not_a_dump')
  const old = SOURCES.some(({ refused }) => refused && prefixesIn(tables, refused).length > 0)
  return old ? new DumpFault('unsupported_version') : DumpFault.of('unknown_system', seenIn(tables))
}

/** The tables of a dump of an unknown system, and the tables missing to the most similar system. */
function seenIn(tables: KnownTables): string {
  const names = [...tables.keys()]
  const likely = SOURCES.map(({ system, knownBy }) => {
    const wanted = Object.keys(knownBy)
    return { system, missing: wanted.filter((name) => !names.includes(name)), of: wanted.length }
  }).toSorted((a, b) => a.missing.length / a.of - b.missing.length / b.of)[0]
  const seen = `Its tables are ${named(names)}.`
  if (!likely || likely.missing.length === likely.of) return seen
  const missing =
    likely.missing.length > 0 ? `table ${named(likely.missing)}` : 'columns of its tables'
  return `${seen} For ${likely.system} it lacks ${missing}.`
}

const NAMED = 8

function named(names: readonly string[]): string {
  const more = names.length > NAMED ? ` and ${names.length - NAMED} more` : ''
  return `${names.slice(0, NAMED).join(', ')}${more}`
}

/** Throws a DumpFault for a dump that lacks tables of its system, in its version if it is known. */
export function assertWhole(
  tables: ReadonlyMap<string, unknown>,
  { source, prefix }: Detected,
  version: string | null = null,
): void {
  const { needed = [], neededSince } = source
  const isNew = neededSince !== undefined && Number.parseInt(version ?? '', 10) >= neededSince.major
  const wanted = [...needed, ...(isNew ? neededSince.tables : [])]
  const missing = wanted.filter((name) => !tables.has(prefix + name))
  if (missing.length > 0) throw DumpFault.of('missing_tables', `Missing: ${missing.join(', ')}.`)
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
