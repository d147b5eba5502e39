import assert from 'node:assert/strict'

type Schema = {
  readonly enum?: readonly string[]
  readonly anyOf?: readonly Schema[]
  readonly type?: string
  readonly format?: string
  readonly default?: unknown
}
type Parameter = { readonly name: string; readonly in: string; readonly schema: Schema }
type Operation = { readonly parameters?: readonly (Parameter | { $ref: string })[] }

/** The part of an OpenAPI document that says which requests there are. */
export type Described = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components?: { readonly parameters?: Readonly<Record<string, Parameter>> }
}

/**
 * What requests ask for: objects by the path that names them, and values of filters by their name, or by path and name;
 * null for a filter that is left out.
 */
export type Known = {
  readonly objects: ReadonlyMap<string, string>
  readonly filters: Readonly<Record<string, string | null>>
  readonly searches: readonly string[]
}

/** A request of the administration; a list is also requested a page deep. */
export type AdminRequest = { readonly path: string; readonly paged: boolean }

/** Whole tables are their answer, or they ask a panel. */
const LEFT_OUT =
  /\/(reports\/.*|audit-logs\/verify|export|csv|rows|pdf|xml|stream|servers|startup|status|affiliates\/payouts|capacity|room|preview|changes|decisions|activity)$/

/**
 * Every read of the administration in the document, with each value of its filters that can be listed, with the
 * filters of which a value is known, and with every search. Throws if the value of a required parameter, or of a filter,
 * is unknown, so that a new one is not left out.
 */
export function adminRequests(document: Described, known: Known): AdminRequest[] {
  return Object.entries(document.paths).flatMap(([template, methods]) => {
    if (!template.startsWith('/v1/admin/') || !methods.get || LEFT_OUT.test(template)) return []
    const path = pathOf(template, known.objects)
    const query = (methods.get.parameters ?? [])
      .map((it) => parameterOf(it, document))
      .filter((it) => it.in === 'query')
    const paged = query.some(({ name }) => name === 'cursor')
    const variants = query.flatMap((it) => variantsOf(template, it, known))
    const counted = query.some(({ name }) => name === 'count')
    const counts = counted ? ['', ...variants].map((it) => `${it}${it && '&'}count=true`) : []
    return [
      { path, paged },
      ...[...variants, ...counts].map((it) => ({ path: `${path}?${it}`, paged: false })),
    ]
  })
}

function parameterOf(it: Parameter | { $ref: string }, { components }: Described): Parameter {
  if (!('$ref' in it)) return it
  const found = components?.parameters?.[it.$ref.split('/').at(-1) ?? '']
  assert.ok(found, it.$ref)
  return found
}

function pathOf(template: string, objects: ReadonlyMap<string, string>): string {
  const passed: string[] = []
  return template
    .split('/')
    .map((part) => {
      passed.push(part.replace(/^\{(.*)\}$/, ':$1'))
      if (!part.startsWith('{')) return part
      const value = objects.get(passed.join('/'))
      assert.ok(value, `No value is known for ${template}`)
      return encodeURIComponent(value)
    })
    .join('/')
}

const OF_EVERY_PAGE = ['limit', 'cursor', 'count', 'format']

/** The filter with each of its values. */
function variantsOf(template: string, { name, schema }: Parameter, known: Known): string[] {
  if (OF_EVERY_PAGE.includes(name)) return []
  if (name === 'q' || name === 'search') {
    return known.searches.map((it) => `${name}=${encodeURIComponent(it)}`)
  }
  const kinds = schema.anyOf ?? [schema]
  const values = kinds.flatMap((it) => it.enum ?? (it.type === 'boolean' ? ['true', 'false'] : []))
  const own = known.filters[`${template} ${name}`]
  if (own === null) return []
  const value = own ?? known.filters[name] ?? undefined
  const all = values.length > 0 ? values : value === undefined ? [] : [value]
  assert.ok(all.length > 0, `No value is known for ${name} of ${template}`)
  return all.map((it) => `${name}=${encodeURIComponent(it)}`)
}
