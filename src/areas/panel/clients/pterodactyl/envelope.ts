/** What panels call attributes. */
export type Fields = Record<string, unknown>

/** A 2xx answer that does not have the expected form. */
export class MalformedAnswer extends Error {}

/** A map. Panels write an empty one as `[]`, and sometimes leave it out. */
export function mapOf(value: unknown): Fields {
  if (value === null || value === undefined) return {}
  if (Array.isArray(value)) {
    if (value.length === 0) return {}
    throw new MalformedAnswer('a list in place of a map')
  }
  if (typeof value !== 'object') throw new MalformedAnswer('no map')
  return { ...value }
}

/** The attributes of one object in an answer. */
export function attributesOf(body: unknown): Fields {
  const { object, attributes } = mapOf(body)
  if (typeof object !== 'string' || object === 'null_resource' || object === 'list') {
    throw new MalformedAnswer('no object')
  }
  return mapOf(attributes)
}

export type Page = { rows: Fields[]; pages: number; total: number }

/** A page of a list; a list without pages is one page. */
export function pageOf(body: unknown): Page {
  const { object, data, meta } = mapOf(body)
  if (object !== 'list' || !Array.isArray(data)) throw new MalformedAnswer('no list')
  const { total_pages, total } = mapOf(mapOf(meta).pagination)
  const rows = data.map(attributesOf)
  return {
    rows,
    pages: typeof total_pages === 'number' ? total_pages : 1,
    total: typeof total === 'number' ? total : rows.length,
  }
}

/** A relation: its rows, or undefined if it was not requested or may not be read. */
export function relatedOf(attributes: Fields, name: string): Fields[] | undefined {
  const relation = mapOf(mapOf(attributes.relationships)[name])
  if (relation.object === undefined || relation.object === 'null_resource') return undefined
  return relation.object === 'list' ? pageOf(relation).rows : [attributesOf(relation)]
}

export function textOf(fields: Fields, name: string): string {
  const value = fields[name]
  if (typeof value !== 'string') throw new MalformedAnswer(`${name} is no text`)
  return value
}

/** A text; null and absent are empty. */
export function looseTextOf(fields: Fields, name: string): string {
  return optionalTextOf(fields, name) ?? ''
}

export function optionalTextOf(fields: Fields, name: string): string | null {
  const value = fields[name] ?? null
  return value === null ? null : textOf(fields, name)
}

/** A number. Some databases return sums as texts. */
export function numberOf(fields: Fields, name: string): number {
  const value = fields[name]
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  if (typeof number !== 'number' || !Number.isFinite(number)) {
    throw new MalformedAnswer(`${name} is no number`)
  }
  return number
}

/** The numeric id of a row. */
export function idOf(fields: Fields): number {
  const id = numberOf(fields, 'id')
  if (!Number.isSafeInteger(id)) throw new MalformedAnswer('id is no whole number')
  return id
}

export function optionalNumberOf(fields: Fields, name: string): number | null {
  const value = fields[name] ?? null
  return value === null ? null : numberOf(fields, name)
}

/** A boolean; older panels send 1 and 0. Absent is false. */
export function flagOf(fields: Fields, name: string): boolean {
  const value = fields[name]
  return value === true || value === 1 || value === '1'
}

/** A map of texts; numbers and booleans become texts, null becomes empty. */
export function textMapOf(value: unknown): Record<string, string> {
  const entries = Object.entries(mapOf(value)).map(([name, it]) => {
    const text = typeof it === 'object' ? '' : typeof it === 'boolean' ? Number(it) : it
    return [name, String(text ?? '')] as const
  })
  return Object.fromEntries(entries)
}
