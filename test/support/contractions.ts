import { readFileSync } from 'node:fs'
import path from 'node:path'

/** A statement by which a migration takes from older processes what they use, and why it does. */
export type Contraction = {
  readonly file: string
  readonly statement: string
  readonly why: string
}

type File = { readonly name: string; readonly sql: string }

const FILE = path.join(import.meta.dirname, '../../ops/previous-version')

/** The version that the next one works beside: its commit, and the number of its last migration. */
export function previousVersion(): { commit: string; migration: string } {
  const text = readFileSync(FILE, 'utf8')
  const read = (word: string) => new RegExp(`^${word} (\\S+)$`, 'm').exec(text)?.[1]
  const [commit, migration] = [read('commit'), read('migration')]
  if (!commit || !migration) throw new Error('ops/previous-version names no commit or no migration')
  return { commit, migration }
}

/**
 * What in migrations, all of them newer than a version, that version cannot live with, or waits for on a
 * large table. What is made in one of them is unknown to it, and may be changed by any of them.
 */
export function contractionsIn(files: readonly File[]): Contraction[] {
  const statements = files.flatMap(({ name, sql }) =>
    statementsOf(sql).map((text) => ({ file: name, text })),
  )
  const made = madeBy(statements.map(({ text }) => text))
  const taken = statements.flatMap(({ file, text }) =>
    reasonsAgainst(text, made).map((why) => ({ file, statement: text, why })),
  )
  return [...taken, ...files.flatMap((file) => waitsIn(file, made))]
}

/** Why an index is made beside the work. */
export const INDEX_WAITS = 'nobody can write while it reads every row'

/** What makes others wait for as long as a large table takes: it belongs into steps. */
function waitsIn({ name: file, sql }: File, made: ReadonlySet<string>): Contraction[] {
  // What functions do is done later. A block is looked at by a person: whether it commits in between.
  const statements = statementsOf(sql.replace(/\$(\w*)\$[\s\S]*?\$\1\$/g, "''"))
  return statements.flatMap((statement) => {
    const changed = /^(?:update|delete from) (?:only )?([\w.]+)/.exec(statement)?.[1]
    if (changed && !made.has(changed)) {
      return [{ file, statement, why: 'it keeps rows from others until it has been through all' }]
    }
    const [, beside, index = '', table = ''] =
      /^create (?:unique )?index (concurrently )?(?:if not exists )?(?:(?!on )(\w+) )?on ([\w.]+)/.exec(
        statement,
      ) ?? []
    if (!table || made.has(table)) return []
    if (!beside) return [{ file, statement, why: INDEX_WAITS }]
    const [schema] = table.split('.')
    const isFresh = statements.includes(`drop index concurrently if exists ${schema}.${index}`)
    return isFresh ? [] : [{ file, statement, why: 'what broke off leaves half an index' }]
  })
}

/** The statements of a file in lower case, those in the bodies of functions too; without texts and comments. */
function statementsOf(sql: string): string[] {
  return sql
    .replace(/^-- next step\b.*$/gm, ';')
    .replace(/--.*$/gm, '')
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/'(?:[^']|'')*'/g, "''")
    .replace(/\$\w*\$/g, ';')
    .toLowerCase()
    .split(';')
    .map((it) => it.replace(/\s+/g, ' ').trim())
    .map((it) => it.replace(/^(?:(?:begin|then|else|loop) )+/, ''))
    .filter(Boolean)
}

/** Tables and columns that older processes have never seen; columns as `table.column`. */
function madeBy(statements: readonly string[]): ReadonlySet<string> {
  const made = new Set<string>()
  for (const text of statements) {
    const table = /^create (?:unlogged )?table (?:if not exists )?([\w.]+)/.exec(text)?.[1]
    if (table) made.add(table)
    const { table: altered, changes } = alterationOf(text)
    for (const it of changes) {
      const column = /^add column (?:if not exists )?(\w+)/.exec(it)?.[1]
      if (column) made.add(`${altered}.${column}`)
    }
  }
  return made
}

/** The parts of an `alter table`, of which one statement has several; none of anything else. */
function alterationOf(text: string): { table: string; changes: string[] } {
  const [, table = '', rest = ''] =
    /^alter table (?:if exists )?(?:only )?([\w.]+) (.*)$/.exec(text) ?? []
  const changes: string[] = []
  let depth = 0
  let change = ''
  for (const sign of rest) {
    if (sign === '(') depth += 1
    if (sign === ')') depth -= 1
    if (sign === ',' && depth === 0) {
      changes.push(change.trim())
      change = ''
    } else change += sign
  }
  return { table, changes: change ? [...changes, change.trim()] : changes }
}

function reasonsAgainst(text: string, made: ReadonlySet<string>): string[] {
  const dropped = /^drop (table|view|function|type|schema) (?:if exists )?([\w.]+)/.exec(text)
  if (dropped && !made.has(dropped[2] ?? '')) return [`it drops a ${dropped[1]}`]
  if (/^alter (?:view|function|type|schema|index) .* rename/.test(text)) return ['it renames']
  const [, unique, columns = '', rows = ''] =
    /^create unique index (?:concurrently )?(?:if not exists )?(?:\w+ )?on ([\w.]+) (?:using \w+ )?\((.*?)\)(?: where (.*))?$/.exec(
      text,
    ) ?? []
  if (unique && !made.has(unique)) {
    // A row that only a new flag brings into the index is none of an older process.
    const flags = rows.split(' and ').filter((it) => /^\w+$/.test(it))
    const names = [...(columns.match(/\w+/g) ?? []), ...flags]
    if (!names.some((it) => made.has(`${unique}.${it}`))) {
      return ['it makes unique what need not have been']
    }
  }
  const { table, changes } = alterationOf(text)
  if (made.has(table)) return []
  return changes.flatMap(
    (it) => reasonAgainst(it, (column) => made.has(`${table}.${column}`)) ?? [],
  )
}

/** Why older processes cannot live with one change of a table they know. */
function reasonAgainst(change: string, isNew: (column: string) => boolean): string | null {
  const [, added = ''] = /^add column (?:if not exists )?(\w+)/.exec(change) ?? []
  if (added) {
    const fills = / default | default$|generated/.test(change)
    return / not null/.test(change) && !fills
      ? 'it adds a column that older ones leave empty'
      : null
  }
  const column = /^(?:alter|drop|rename)(?: column)? (?:if exists )?(\w+)/.exec(change)?.[1] ?? ''
  if (isNew(column)) return null
  if (/^drop constraint/.test(change)) return null
  if (/^drop /.test(change)) return 'it drops a column'
  if (/^rename /.test(change)) return 'it renames'
  if (/^alter .* (?:set data )?type /.test(change)) return 'it changes a type'
  if (/^alter .* set not null/.test(change)) return 'it refuses what older ones leave empty'
  if (/^alter .* drop default/.test(change)) return 'it takes a default away'
  if (!/^add (?:constraint \w+ )?(?:check|foreign key|unique|primary key|exclude)/.test(change))
    return null
  return /not valid$/.test(change) ? null : 'it looks at every row while all wait'
}
