import { CompiledQuery } from 'kysely'
import type { Row, Tx } from './index.ts'
import type { Tables } from './tables.ts'

/** Columns of a table as they are read: jsonb as its value, not as its text. */
type Cells<T extends keyof Tables> = Partial<Row<T>>

/**
 * Writes many rows with one statement, whose text is the same however many they are. Every row names
 * the same columns. Fails as a whole when one of them is refused; `skipKnown` leaves out what is there.
 * `soon` does not wait for the disk: a crash of the database may lose the rows of the last moment.
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

/** Writes rows that are not there yet, and answers the ids of those that are new. */
export async function insertNewRows<T extends keyof Tables & string>(
  tx: Tx,
  table: T,
  rows: readonly (Cells<T> & { readonly id: string })[],
): Promise<Set<string>> {
  if (rows.length === 0) return new Set()
  const text = `${insertion(table, columnsOf(rows))} on conflict do nothing returning id`
  return new Set((await run(tx, text, rows)).map(({ id }) => id))
}

/** Changes many rows with one statement; they are found by `keys`, their other columns are written. */
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
    // What only some rows name would be lost, or become null.
    if (Object.keys(cells).length !== names.length) throw new RangeError('Rows of other columns')
    return Object.fromEntries(names.map((name, index) => [columns[index], textOf(cells[name])]))
  })
  return JSON.stringify(records)
}

/** Bytes in the form that the database reads them in. */
function textOf(cell: unknown): unknown {
  return cell instanceof Uint8Array ? `\\x${Buffer.from(cell).toString('hex')}` : cell
}

/** `paidAt` as `paid_at`. */
function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
