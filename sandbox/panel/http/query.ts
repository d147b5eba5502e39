import type { Item, List } from './envelope.ts'
import { refused } from './errors.ts'

type Filter<Row> = (row: Row, value: string) => boolean

/** What a list lets itself be asked for. One that declares filters refuses all others. */
export type ListRules<Row> = {
  filters?: Record<string, Filter<Row>>
  sorts?: Record<string, (row: Row) => number | string>
  maxPerPage?: number
  /** Whether the links to other pages carry the whole query; else they carry the page alone. */
  keepsQuery?: boolean
}

export type ListCall = { url: URL; query: URLSearchParams }

/** One page of the rows a request asked for, filtered and sorted as it said. */
export function pageOf<Row>(
  call: ListCall,
  rows: Row[],
  rules: ListRules<Row>,
  present: (row: Row) => Item,
): List {
  const found = sorted(call.query, filtered(call.query, rows, rules.filters), rules.sorts)
  const perPage = Math.min(count(call.query.get('per_page'), 50), rules.maxPerPage ?? Infinity)
  const page = count(call.query.get('page'), 1)
  const data = found.slice((page - 1) * perPage, page * perPage).map(present)
  const pages = Math.max(1, Math.ceil(found.length / perPage))
  const at = (number: number) => {
    const query = new URLSearchParams(rules.keepsQuery ? call.query : {})
    query.set('page', String(number))
    return `${call.url.origin}${call.url.pathname}?${query}`
  }
  const pagination = {
    total: found.length,
    count: data.length,
    per_page: perPage,
    current_page: page,
    total_pages: pages,
    links: {
      ...(page > 1 && { previous: at(page - 1) }),
      ...(page < pages && { next: at(page + 1) }),
    },
  }
  return { object: 'list', data, meta: { pagination } }
}

/** Matches rows whose text contains the value, in any case; a comma separates alternatives. */
export function containing<Row>(text: (row: Row) => string | null): Filter<Row> {
  return (row, value) => {
    const whole = text(row)?.toLowerCase()
    return whole !== undefined && alternatives(value).some((part) => whole.includes(part))
  }
}

/** Matches rows whose value is this one, or one of those the commas separate. */
export function exactly<Row>(text: (row: Row) => string | null): Filter<Row> {
  return (row, value) => {
    const whole = text(row)?.toLowerCase()
    return whole !== undefined && value.toLowerCase().split(',').includes(whole)
  }
}

function alternatives(value: string): string[] {
  const parts = value.split(',').map((part) => {
    if (part === 'true') return '1'
    return part === 'false' ? '' : part.toLowerCase()
  })
  const filled = parts.filter((part) => part !== '')
  return filled.length > 0 ? filled : ['']
}

function filtered<Row>(
  query: URLSearchParams,
  rows: Row[],
  filters: ListRules<Row>['filters'],
): Row[] {
  if (!filters) return rows
  let found = rows
  const unknown: string[] = []
  for (const [name, value] of namedFilters(query)) {
    const matches = Object.hasOwn(filters, name) ? filters[name] : undefined
    if (matches) found = found.filter((row) => matches(row, value))
    else unknown.push(name)
  }
  if (unknown.length > 0) {
    const allowed = Object.keys(filters).join(', ')
    const detail = `Requested filter(s) \`${unknown.join(', ')}\` are not allowed. Allowed filter(s) are \`${allowed}\`.`
    throw refused(detail, 'InvalidFilterQuery')
  }
  return found
}

function* namedFilters(query: URLSearchParams): Generator<[string, string]> {
  for (const [key, value] of query) {
    const name = /^filter\[([^\]]*)\]$/.exec(key)?.[1]
    if (name !== undefined) yield [name, value]
  }
}

function sorted<Row>(query: URLSearchParams, rows: Row[], sorts: ListRules<Row>['sorts']): Row[] {
  const asked = query.get('sort')
  if (!sorts || !asked) return rows
  const orders = asked.split(',').map((name) => ({
    name: name.replace(/^-/, ''),
    sign: name.startsWith('-') ? -1 : 1,
  }))
  const unknown = orders.filter(({ name }) => !Object.hasOwn(sorts, name))
  if (unknown.length > 0) {
    const names = unknown.map(({ name }) => name).join(', ')
    const detail = `Requested sort(s) \`${names}\` is not allowed. Allowed sort(s) are \`${Object.keys(sorts).join(', ')}\`.`
    throw refused(detail, 'InvalidSortQuery')
  }
  return [...rows].sort((a, b) => {
    for (const { name, sign } of orders) {
      const [left, right] = [sorts[name]?.(a) ?? 0, sorts[name]?.(b) ?? 0]
      if (left !== right) return left < right ? -sign : sign
    }
    return 0
  })
}

function count(text: string | null, otherwise: number): number {
  const number = Number(text)
  return text !== null && Number.isSafeInteger(number) && number >= 1 ? number : otherwise
}
