import type { RouteFacts } from './openapi.ts'

const API = '/v1/'

/**
 * The methods of the routes at the path of a URL; none for an unknown path. Pages whose path may have any
 * names, `/:game/:product`, do not count for paths of the API.
 */
export function methodsOf(routes: readonly RouteFacts[]): (url: string) => readonly string[] {
  let known: { method: string; isApi: boolean; isAt: (path: string) => boolean }[] | null = null
  return (requested) => {
    const path = requested.split('?')[0] ?? ''
    const isApi = path.startsWith(API)
    // Created on first use: routes are added until the server is ready.
    known ??= routes
      .filter(({ url }) => !url.includes('*'))
      .map(({ method, url }) => ({
        ...{ method, isApi: url.startsWith(API) },
        isAt: matcherOf(url),
      }))
    const found = known.filter((it) => it.isApi === isApi && it.isAt(path))
    return [...new Set(found.map(({ method }) => method))].sort()
  }
}

/** Whether a path matches the URL of a route, part by part, as the router compares them. */
function matcherOf(url: string): (path: string) => boolean {
  const parts = url.split('/').map(partOf)
  return (path) => {
    const given = path.split('/')
    return given.length === parts.length && parts.every((fits, at) => fits(given[at] ?? ''))
  }
}

function partOf(part: string): (given: string) => boolean {
  if (!part.startsWith(':')) return (given) => given === part
  const [, form] = /^:\w+\((.*)\)$/.exec(part) ?? []
  const pattern = form === undefined ? /./ : new RegExp(form)
  return (given) => pattern.test(given)
}
