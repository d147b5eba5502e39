import { isObject, type Json } from '#platform/http/components.ts'
import type { Exchange } from './exchanges.ts'
import { withoutChance } from './without-chance.ts'

/** An operation of the API document, and which paths are its own. */
export type Operation = {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly pattern: RegExp
  readonly described: Json
}

/** What the API document shows of one operation: a request of a test, and its answer. */
export type Example = {
  readonly path: string
  readonly request?: unknown
  readonly status: number
  readonly answer?: unknown
}

/** Every operation of a document; those without parameters in their path come first. */
export function operationsOf(document: Json): Operation[] {
  const paths = Object.entries(document.paths as Record<string, Record<string, Json>>)
  return paths
    .flatMap(([path, item]) =>
      Object.entries(item).map(([method, described]) => ({
        id: String(described.operationId),
        method: method.toUpperCase(),
        path,
        pattern: patternOf(path),
        described,
      })),
    )
    .sort((a, b) => Number(a.path.includes('{')) - Number(b.path.includes('{')))
}

function patternOf(path: string): RegExp {
  const parts = path.split('/').map((part) => {
    return part.startsWith('{') ? '[^/]+' : part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  })
  return new RegExp(`^${parts.join('/')}$`)
}

/** The examples that recorded exchanges make, the best ones of each operation first. */
export function examplesOf(
  operations: readonly Operation[],
  exchanges: readonly Exchange[],
): Map<string, Example[]> {
  const found = new Map<string, Example[]>()
  for (const exchange of exchanges) {
    const [path = ''] = exchange.path.split('?')
    const operation = operations.find(
      (it) => it.method === exchange.method && it.pattern.test(path),
    )
    if (!operation) continue
    const list = found.get(operation.id) ?? []
    list.push(exampleOf(exchange))
    found.set(operation.id, list)
  }
  for (const list of found.values()) list.sort((a, b) => flawsOf(a) - flawsOf(b) || compare(a, b))
  return found
}

/** The messages that arrived at endpoints of tests, by their type. */
export function webhooksOf(exchanges: readonly Exchange[]): Map<string, unknown> {
  const messages = exchanges.filter(({ method }) => method === 'WEBHOOK')
  const entries = messages.map(({ path, body }) => {
    return [path, withoutChance(JSON.parse(body ?? '{}'))] as const
  })
  // Of one type the last one counts: a short one, in which nothing was paid twice.
  const flaws = (message: unknown) => (isPaidTwice(message) ? 1 : 0)
  return new Map(entries.sort(([, a], [, b]) => flaws(b) - flaws(a) || compare(b, a)))
}

function isPaidTwice(message: unknown): boolean {
  const { data } = message as { data?: { paidCents?: number; totalCents?: number } }
  return (data?.paidCents ?? 0) > (data?.totalCents ?? 0)
}

function exampleOf({ path, type, body, status, answerType, answer }: Exchange): Example {
  const request = type?.includes('json') ? parsed(body) : type?.includes('urlencoded') ? body : null
  const isJson = answerType?.includes('json')
  const text = answerType?.includes('csv') || answerType?.includes('plain') ? answer : null
  const shown = isJson ? parsed(answer) : text?.split('\n').slice(0, 3).join('\n')
  return withoutChance({
    path,
    ...(request !== null && { request }),
    status,
    ...(shown != null && { answer: shortened(shown) }),
  }) as Example
}

function parsed(text: string | null): unknown {
  return text === null || text === '' ? null : JSON.parse(text)
}

/** An object that is longer is shown by its beginning: the API document itself. */
const LONG = 100_000

/** A page of a list is shown with one entry, other lists with two. */
function shortened(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 2).map(shortened)
  if (!isObject(value)) return value
  const isLong = Object.keys(value).length > 20 && JSON.stringify(value).length > LONG
  const entries = Object.entries(value)
    .slice(0, isLong ? 1 : undefined)
    .map(([name, it]) => {
      const isPage = name === 'data' && Array.isArray(it)
      return [name, shortened(isPage ? it.slice(0, 1) : it)]
    })
  return Object.fromEntries(entries)
}

/** A score for the choice of examples, lower is better: empty values, unusual characters, and length. */
function flawsOf({ request, answer, path }: Example): number {
  const text = JSON.stringify({ request, answer, path })
  const empty = text.match(/null|\[\]|\{\}|""/g)?.length ?? 0
  const odd = /[^\x20-\x7e’–€]|[<>\\]|%[0-9A-F]{2}|(\w)\1{6}/.test(text) ? 40 : 0
  return empty * 3 + odd + Math.max(0, text.length - 1500) / 50
}

function compare(a: unknown, b: unknown): number {
  const [first, second] = [JSON.stringify(a), JSON.stringify(b)]
  return first.length - second.length || (first < second ? -1 : first > second ? 1 : 0)
}
