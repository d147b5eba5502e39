import type { Charset } from '../dump/charset.ts'
import { SOURCES } from '../sources/index.ts'
import type { Source } from '../sources/source.ts'
import type { Findings } from '../staging/reader.ts'
import { RESOURCES, type Resource } from '../staging/resources.ts'
import type { Survey } from '../staging/survey.ts'
import type { Origin } from './judge.ts'

/** The content of a dump besides its rows. Once the rows are staged, the dump need not be read again. */
export type Material = {
  readonly source: Source
  readonly prefix: string
  /** How many rows each table has. */
  readonly tables: ReadonlyMap<string, number>
  readonly statements: Survey['statements']
  readonly charset: { readonly declared: string | null; readonly used: Charset }
  readonly findings: Findings
}

/** The table of the old system that a resource comes from. */
export function tableOf(source: Source, resource: Resource): string | undefined {
  return Object.entries(source.tables).find(
    ([, it]) => 'resource' in it && it.resource === resource,
  )?.[0]
}

/** Where the rows of a dump come from. */
export function originOf({ source, prefix, tables, findings }: Material): Origin {
  const of = (resource: Resource) => tableOf(source, resource)
  return {
    system: source.system,
    tableOf: of,
    holds: (resource) => tables.has(`${prefix}${of(resource) ?? ''}`),
    unordered: findings.unordered,
  }
}

/** Material as it is stored, for another process that continues the import. */
export type Kept = {
  readonly system: string
  readonly prefix: string
  readonly tables: readonly (readonly [string, number])[]
  readonly statements: readonly (readonly [string, number])[]
  readonly charset: Material['charset']
  readonly settings: readonly (readonly [string, string])[]
  readonly sums: readonly (readonly [string, readonly (readonly [string, string])[]])[]
}

export function keptOf({ source, findings, ...said }: Material): Kept {
  return {
    system: source.system,
    prefix: said.prefix,
    tables: [...said.tables],
    statements: [...said.statements],
    charset: said.charset,
    settings: [...findings.settings],
    sums: [...findings.sums].map(([table, sums]) => [
      table,
      [...sums].map(([column, sum]) => [column, String(sum)] as const),
    ]),
  }
}

/** The material that was given to `keptOf`. */
export function materialOf(kept: Kept): Material {
  const source = SOURCES.find((it) => it.system === kept.system)
  if (!source) throw new Error(`An import of ${kept.system} was begun by another version`)
  const sums = kept.sums.map(
    ([table, columns]) =>
      [table, new Map(columns.map(([column, sum]) => [column, BigInt(sum)]))] as const,
  )
  return {
    source,
    prefix: kept.prefix,
    tables: new Map(kept.tables),
    statements: new Map(kept.statements),
    charset: kept.charset,
    // Which resources have ascending ids is not stored: any id may occur twice.
    findings: {
      settings: new Map(kept.settings),
      sums: new Map(sums),
      unordered: new Set(RESOURCES),
    },
  }
}
