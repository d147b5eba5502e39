import type { Panel } from '../panel.ts'
import type { Key, Resource } from '../state/rows.ts'
import { type Item, type List, readIncludes, View } from './envelope.ts'
import { Fields } from './input.ts'

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
export type Params = Record<string, string>

export type Reply = { status: number; body?: unknown; headers?: Record<string, string> }

/** What an operation gets to see of one request. */
export type Call = {
  panel: Panel
  key: Key
  url: URL
  query: URLSearchParams
  /** The body as it came, texts trimmed and empty ones null. */
  input: Record<string, unknown>
  fields: Fields
  /** How to present what it answers, with the relations asked for. */
  view: View
  now: number
}

export type Access = { api: 'application'; resource: Resource; level: 1 | 2 } | { api: 'client' }

/** Resolves what the path names, or throws 404; what it gives back does the operation. */
type Prepare = (panel: Panel, params: Params, key: Key) => (call: Call) => Reply | Promise<Reply>

export type Route = {
  method: Method
  /** `/api/application/users/{user}`; a name in braces matches one segment. */
  path: string
  access: Access
  prepare: Prepare
}

type Definition<Target> = {
  method: Method
  path: string
  access: Access
  target: (panel: Panel, params: Params, key: Key) => Target
  run: (call: Call, target: Target) => Reply | Promise<Reply>
}

/** A route about what its path names: `target` finds it, before rights are looked at. */
export function routeTo<Target>({ target, run, ...route }: Definition<Target>): Route {
  return {
    ...route,
    prepare: (panel, params, key) => {
      const found = target(panel, params, key)
      return (call) => run(call, found)
    },
  }
}

export function route(
  definition: Omit<Definition<null>, 'target' | 'run'> & {
    run: (call: Call) => Reply | Promise<Reply>
  },
): Route {
  return { ...definition, prepare: () => definition.run }
}

export function reads(resource: Resource): Access {
  return { api: 'application', resource, level: 1 }
}

export function writes(resource: Resource): Access {
  return { api: 'application', resource, level: 2 }
}

export const client: Access = { api: 'client' }

export function ok(body: Item | List | Record<string, unknown>): Reply {
  return { status: 200, body }
}

/** 201 with the address of what was made, where the panel gives one. */
export function created(item: Item, resource?: string): Reply {
  return { status: 201, body: resource ? { ...item, meta: { resource } } : item }
}

export const noContent: Reply = { status: 204 }

type Found = { route: Route; params: Params }

/** The route of a request, or the methods its path has instead. */
export function findRoute(
  routes: readonly Route[],
  method: string,
  path: string,
): { found?: Found; otherMethods: Method[] } {
  const otherMethods: Method[] = []
  for (const candidate of routes) {
    const params = matchPath(candidate.path, path)
    if (!params) continue
    if (candidate.method === method) return { found: { route: candidate, params }, otherMethods }
    otherMethods.push(candidate.method)
  }
  return { otherMethods }
}

export function matchPath(pattern: string, path: string): Params | null {
  const [wanted, given] = [pattern.split('/'), path.split('/')]
  if (wanted.length !== given.length) return null
  const params: Params = {}
  for (const [index, segment] of wanted.entries()) {
    const actual = given[index] ?? ''
    const name = /^\{(\w+)\}$/.exec(segment)?.[1]
    if (name !== undefined && actual !== '') params[name] = decode(actual)
    else if (segment !== actual) return null
  }
  return params
}

export function callOf(panel: Panel, key: Key, url: URL, input: Record<string, unknown>): Call {
  return {
    panel,
    key,
    url,
    query: url.searchParams,
    input,
    fields: new Fields(input),
    view: new View(panel, key, readIncludes(url.searchParams)),
    now: panel.clock.now(),
  }
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
