import type { Database } from './index.ts'
import { camelCase } from './statement.ts'

type Column = {
  schema: string
  table: string
  name: string
  type: string
  nullable: boolean
  filled: boolean
  comment: string | null
}

const COLUMNS = `
  select n.nspname as schema, c.relname as table, a.attname as name,
         format_type(a.atttypid, null) as type, not a.attnotnull as nullable,
         a.atthasdef or a.attidentity <> '' as filled,
         col_description(c.oid, a.attnum) as comment
  from pg_attribute a
  join pg_class c on c.oid = a.attrelid
  join pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped and not c.relispartition
    and n.nspname not in ('pg_catalog', 'information_schema', 'jobs') and n.nspname !~ '^pg_'
  order by n.nspname, c.relname, a.attnum`

/** The TypeScript types of all tables, as text. A jsonb column's comment contains its type: `json: …`. */
export async function tablesOf(database: Database): Promise<string> {
  const { rows } = await database.execute(COLUMNS)
  const tables = Map.groupBy(rows as Column[], ({ schema, table }) => `${schema}.${table}`)
  const interfaces = [...tables].map(([name, columns]) => {
    const fields = columns.map((column) => `    ${camelCase(column.name)}: ${typeOf(column)}`)
    return `  '${name}': {\n${fields.join('\n')}\n  }`
  })
  const body = interfaces.join('\n')
  return `${headerFor(body)}\nexport type Tables = {\n${body}\n}\n`
}

const IMPORTS = [
  { from: '#lib/money.ts', names: ['BasisPoints', 'Cents'] },
  { from: '#lib/time.ts', names: ['Day', 'Instant'] },
]

function headerFor(body: string): string {
  const imports = IMPORTS.flatMap(({ from, names }) => {
    const used = names.filter((name) => new RegExp(`\\b${name}\\b`).test(body))
    return used.length > 0 ? [`import type { ${used.join(', ')} } from '${from}'\n`] : []
  })
  return `// Generated from the migrations by \`npm run tables\`; a test compares.
import type { ColumnType, Generated } from 'kysely'
${imports.join('')}import type { JsonText } from './index.ts'

/** A jsonb column: read as the value, written as its text. */
export type Json<T> = ColumnType<T, JsonText, JsonText>
/** A nullable jsonb column. */
export type NullableJson<T> = ColumnType<T | null, JsonText | null | undefined, JsonText | null>
`
}

function typeOf(column: Column): string {
  const { type, nullable, filled, comment } = column
  if (type === 'jsonb') {
    const value = comment?.startsWith('json: ') ? comment.slice(6) : 'unknown'
    if (nullable) return `NullableJson<${value}>`
    return filled ? `ColumnType<${value}, JsonText | undefined, JsonText>` : `Json<${value}>`
  }
  const plain = nullable ? `${scalarOf(column)} | null` : scalarOf(column)
  return filled && !nullable ? `Generated<${plain}>` : plain
}

function scalarOf({ type, name, comment }: Column): string {
  if (comment?.startsWith('type: ')) return comment.slice(6)
  if (type === 'bigint' && name.endsWith('_cents')) return 'Cents'
  if (type === 'integer' && name.endsWith('_basis_points')) return 'BasisPoints'
  const known = SCALARS[type]
  if (!known) throw new Error(`No type for ${type} of ${name}`)
  return known
}

const SCALARS: Record<string, string> = {
  bigint: 'number',
  'bigint[]': 'number[]',
  boolean: 'boolean',
  bytea: 'Buffer',
  date: 'Day',
  daterange: 'string',
  inet: 'string',
  integer: 'number',
  pg_snapshot: 'string',
  smallint: 'number',
  text: 'string',
  'text[]': 'string[]',
  'timestamp with time zone': 'Instant',
  uuid: 'string',
  'uuid[]': 'string[]',
  xid8: 'string',
}
