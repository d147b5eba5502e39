import { type RawBuilder, sql } from 'kysely'
import { type Db, type Row, transact } from './database/index.ts'
import { updateRows } from './database/rows.ts'
import type { Tables } from './database/tables.ts'
import type { Secrets } from './secrets.ts'
import { StartError } from './start-error.ts'

/** A column with sealed text, and what the text of a row is bound to. */
export type SealedColumn = {
  readonly table: keyof Tables & string
  readonly column: string
  readonly keys: readonly string[]
  readonly boundTo: (row: Readonly<Record<string, string>>) => string
}

/** Declares a column with sealed text; `keys` are its table's primary key. */
export function sealedColumn<T extends keyof Tables & string, K extends keyof Row<T> & string>(
  table: T,
  column: keyof Row<T> & string,
  keys: readonly K[],
  boundTo: (row: Readonly<Record<K, string>>) => string,
): SealedColumn {
  return { table, column, keys, boundTo: (row) => boundTo(row as Record<K, string>) }
}

/** The result of resealing: how many texts, and the rows whose text no configured key opens. */
export type Resealed = { sealed: number; unreadable: string[] }

const BATCH = 500

/**
 * Seals every text of a column again that another key than the current one sealed. In batches, each a
 * transaction: after a crash it continues with the rest.
 */
export async function resealColumn(
  db: Db,
  secrets: Secrets,
  column: SealedColumn,
): Promise<Resealed> {
  const result: Resealed = { sealed: 0, unreadable: [] }
  let after: readonly string[] | null = null
  do {
    const from: readonly string[] | null = after
    after = await transact(db, async (tx) => {
      const { table, keys, boundTo } = column
      const rows = await lockOthers(tx, secrets, column, from)
      const changes: Record<string, string>[] = []
      for (const row of rows) {
        const place = keys.map((key) => row[key] ?? '')
        try {
          const text = secrets.seal(
            secrets.open(row[column.column] ?? '', boundTo(row)),
            boundTo(row),
          )
          changes.push({ ...row, [column.column]: text })
        } catch {
          result.unreadable.push(`${table} ${place.join(' ')} ${column.column}`)
        }
      }
      await updateRows(tx, table, keys as never, changes as never)
      result.sealed += changes.length
      const last = rows.length === BATCH ? rows.at(-1) : undefined
      return last ? keys.map((key) => last[key] ?? '') : null
    })
  } while (after)
  return result
}

/** How many texts of a column were sealed with a key that is not configured: nothing opens them. */
export async function countLost(
  db: Db,
  secrets: Pick<Secrets, 'keyIds'>,
  { table, column }: SealedColumn,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from ${sql.table(table)}
    where split_part(${sql.ref(column)}, '.', 1) <> all(${secrets.keyIds})`.execute(db as never)
  return rows[0]?.count ?? 0
}

/**
 * Throws a `StartError` if there are sealed texts and no configured key opens any of them. Texts that only
 * some keys open are reported by `moorage doctor`.
 */
export async function assertOpens(
  db: Db,
  { keyIds }: Pick<Secrets, 'keyIds'>,
  columns: readonly SealedColumn[],
): Promise<void> {
  if (await findKeyId(db, columns, (id) => sql`${id} = any(${keyIds})`)) return
  const keyId = await findKeyId(db, columns, () => sql`true`)
  if (!keyId) return
  throw new StartError(
    `MOORAGE_SECRET_KEY: no configured key opens what is sealed in the database (by key ${keyId}; configured: ${keyIds.join(', ')}). Set the key that this database was used with, from your copy. If it is lost, MOORAGE_IGNORE_SEALED=on starts the service, and what was sealed has to be entered again.`,
  )
}

/** The key id of one sealed text that matches, if there is one. */
async function findKeyId(
  db: Db,
  columns: readonly SealedColumn[],
  fits: (keyId: RawBuilder<unknown>) => RawBuilder<unknown>,
): Promise<string | null> {
  for (const { table, column } of columns) {
    const keyId = sql`split_part(${sql.ref(column)}, '.', 1)`
    const { rows } = await sql<{ keyId: string }>`
      select ${keyId} as "keyId" from ${sql.table(table)}
      where ${sql.ref(column)} is not null and ${fits(keyId)} limit 1`.execute(db as never)
    if (rows[0]) return rows[0].keyId
  }
  return null
}

async function lockOthers(
  tx: Db,
  secrets: Secrets,
  { table, column, keys }: SealedColumn,
  after: readonly string[] | null,
): Promise<Record<string, string>[]> {
  const place = sql.join(keys.map((key) => sql.ref(key)))
  const text = sql.ref(column)
  const { rows } = await sql<Record<string, string>>`
    select ${place}, ${text} from ${sql.table(table)}
    where ${text} not like ${`${secrets.keyId}.%`}
      and ${after ? sql`(${place}) > (${sql.join(after)})` : sql`true`}
    order by ${place} limit ${BATCH} for update`.execute(tx as never)
  return rows
}
