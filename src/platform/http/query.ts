import type { FastifyRequest } from 'fastify'
import { Problem } from '#lib/problem.ts'
import type { App } from './index.ts'

type Querystring = { properties?: Readonly<Record<string, { type?: string | readonly string[] }>> }

/** No two names of parameters are as similar as this by chance. */
const NEAR = 2

/**
 * Refuses query parameters that a route does not declare: a misspelt filter would return everything. Routes to which
 * other parties add parameters of their own declare `openQuery`; routes that are not in the API document, such as those
 * of public forms, and requests of daemons are not checked. Ids are accepted in upper case too.
 */
export function checkQueries(app: App): void {
  app.addHook('preValidation', (request, _reply, done) => {
    const { config, schema } = request.routeOptions
    if (config.access !== 'daemon') {
      lowerIds(request.params as Record<string, unknown>)
      lowerIds(request.query as Record<string, unknown>)
    }
    const query = request.query as Record<string, unknown>
    const names = Object.keys(query)
    if (names.length === 0 || request.is404) return done()
    const { properties = {} } = (schema?.querystring ?? {}) as Querystring
    const isOpen = config.openQuery || config.hidden || config.access === 'daemon'
    if (!isOpen) refuseUnknown(names, Object.keys(properties))
    for (const name of names) {
      const isInteger = properties[name]?.type === 'integer'
      if (isInteger && !isDecimal(query[name])) refuseNumber(name)
    }
    done()
  })
}

/** UUIDs are accepted in either case (RFC 9562), and stored in lower case. */
function lowerIds(values: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(values ?? {})) {
    if (typeof value === 'string' && UPPER_ID.test(value)) values[name] = value.toLowerCase()
  }
}

const UPPER_ID = /^(?=.*[A-F])[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$/

function refuseUnknown(names: readonly string[], known: readonly string[]): void {
  const unknown = names.filter((name) => !known.includes(name))
  if (unknown.length === 0) return
  const details = unknown.map((name) => ({ path: name, message: messageFor(name, known) }))
  const [first] = details
  throw new Problem(400, `${first?.path} ${first?.message}`, { code: 'unknown_parameter', details })
}

function messageFor(name: string, known: readonly string[]): string {
  const lower = name.toLowerCase()
  const near = known.filter((it) => {
    const other = it.toLowerCase()
    return other.startsWith(lower) || lower.startsWith(other) || distance(lower, other) <= NEAR
  })
  return near.length > 0
    ? `is not a known parameter; did you mean ${near.join(' or ')}?`
    : 'is not a known parameter'
}

/**
 * How many letters must be added, removed or replaced to get from one word to another; 3 stands for any larger number.
 */
function distance(from: string, to: string): number {
  if (Math.abs(from.length - to.length) > NEAR) return NEAR + 1
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (const [index, letter] of [...from.slice(0, 64)].entries()) {
    const next = [index + 1]
    for (const [at, other] of [...to].entries()) {
      const replaced = (row[at] ?? 0) + (letter === other ? 0 : 1)
      next.push(Math.min(replaced, (row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1))
    }
    row = next
  }
  return row.at(-1) ?? 0
}

/** Whether a number is written with digits only: JavaScript would also read `+5`, `0x10` and `1e1`. */
function isDecimal(value: FastifyRequest['query']): boolean {
  return typeof value !== 'string' || /^-?\d+$/.test(value)
}

function refuseNumber(name: string): never {
  const details = [{ path: name, message: 'must be an integer in decimal digits' }]
  throw new Problem(400, `${name} must be an integer in decimal digits`, { details })
}
