import { CompiledQuery } from 'kysely'
import type { Row, Tx } from './index.ts'
import type { Tables } from './tables.ts'

/** Columns of a table as they are read: jsonb as a value, not as text. */
type Cells<T extends keyof Tables> = Partial<Row<T>>

/**
 * Writes many rows with one statement, whose text does not depend on their number. All rows have the
 * same columns. Fails as a whole if one of them is refused; `skipKnown` skips existing rows. `soon`
 * does not wait for the disk: a crash of the database may lose the latest rows.
 */
export async function insertRows<T extends keyof Tables & string>(
  tx: Tx,
  table: T,
  rows: readonly Cells<T>[],
  { skipKnown = false, soon = false } = {},
): Promise<void> {
  if (rows.length === 0) return
  const text = insertion(table, columnsOf(rows))
  const unknown = skipKnown ? ' on conflict do nothing' : ''
  const unwaited = soon ? ` returning set_config('synchronous_commit', 'off', true)` : ''
  await run(tx, `${text}${unknown}${unwaited}`, rows)
}

/** Writes rows that do not exist yet, and returns the ids of the new ones. */
export async function insertNewRows<T extends keyof Tables & string>(
  tx: Tx,
  table: T,
  rows: readonly (Cells<T> & { readonly id: string })[],
): Promise<Set<string>> {
  if (rows.length === 0) return new Set()
  const text = `${insertion(table, columnsOf(rows))} on conflict do nothing returning id`
  return new Set((await run(tx, text, rows)).map(({ id }) => id))
}

/** Updates many rows with one statement; they are found by `keys`, their other columns are written. */
export async function updateRows<T extends keyof Tables & string>(
  tx: Tx,
  table: T,
  keys: readonly (keyof Row<T> & string)[],
  rows: readonly Cells<T>[],
): Promise<void> {
  if (rows.length === 0) return
  const names: readonly string[] = keys
  const found = names.map(snakeCase).map((it) => `target.${it} = change.${it}`)
  const set = Object.keys(rows[0] ?? {})
    .filter((it) => !names.includes(it))
    .map(snakeCase)
    .map((it) => `${it} = change.${it}`)
  const text = `update ${table} as target set ${set.join(', ')}
    from json_populate_recordset(null::${table}, $1) as change where ${found.join(' and ')}`
  await run(tx, text, rows)
}

function columnsOf(rows: readonly object[]): string[] {
  return Object.keys(rows[0] ?? {}).map(snakeCase)
}

function insertion(table: string, columns: readonly string[]): string {
  const names = columns.join(', ')
  return `insert into ${table} (${names})
    select ${names} from json_populate_recordset(null::${table}, $1)`
}

async function run(tx: Tx, text: string, rows: readonly object[]): Promise<{ id: string }[]> {
  const query = CompiledQuery.raw(text, [jsonOf(rows)])
  return (await tx.executeQuery<{ id: string }>(query)).rows
}

function jsonOf(rows: readonly object[]): string {
  const names = Object.keys(rows[0] ?? {})
  const columns = names.map(snakeCase)
  const records = rows.map((row) => {
    const cells = row as Readonly<Record<string, unknown>>
    // A column that only some rows have would be lost, or become null.
    if (Object.keys(cells).length !== names.length) throw new RangeError('Rows of other columns')
    return Object.fromEntries(names.map((name, index) => [columns[index], textOf(cells[name])]))
  })
  return JSON.stringify(records)
}

/** Bytes in the text format of the database. */
function textOf(cell: unknown): unknown {
  return cell instanceof Uint8Array ? `\\x${Buffer.from(cell).toString('hex')}` : cell
}

/** `paidAt` as `paid_at`. */
function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
