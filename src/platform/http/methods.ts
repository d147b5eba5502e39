import type { RouteFacts } from './openapi.ts'

const API = '/v1/'

/**
 * The methods that the routes have at the path of a URL; none for an unknown path. Pages with any name for a
 * path, `/:game/:product`, have nothing to say about the paths of the API.
 */
export function methodsOf(routes: readonly RouteFacts[]): (url: string) => readonly string[] {
  let known: { method: string; isApi: boolean; pattern: RegExp }[] | null = null
  return (requested) => {
    const path = requested.split('?')[0] ?? ''
    const isApi = path.startsWith(API)
    // Made when it is first needed: routes are added until the server is ready.
    known ??= routes
      .filter(({ url }) => !url.includes('*'))
      .map(({ method, url }) => ({
        ...{ method, isApi: url.startsWith(API) },
        pattern: patternOf(url),
      }))
    const found = known.filter((it) => it.isApi === isApi && it.pattern.test(path))
    return [...new Set(found.map(({ method }) => method))].sort()
  }
}

function patternOf(url: string): RegExp {
  const parts = url.split('/').map((part) => (part.startsWith(':') ? '[^/]+' : escaped(part)))
  return new RegExp(`^${parts.join('/')}$`)
}

function escaped(part: string): string {
  return part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
