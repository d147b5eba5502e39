import type { RouteFacts } from './openapi.ts'

/** Which methods a path has, of all routes in the API document; none for an unknown path. */
export function methodsOf(routes: readonly RouteFacts[]): (path: string) => readonly string[] {
  let patterns: { method: string; pattern: RegExp }[] | null = null
  return (path) => {
    // Made when it is first needed: routes are added until the server is ready.
    patterns ??= routes
      .filter(({ config, url }) => !config.hidden && !url.includes('*'))
      .map(({ method, url }) => ({ method, pattern: patternOf(url) }))
    const found = patterns.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method)
    return [...new Set(found)].sort()
  }
}

function patternOf(url: string): RegExp {
  const parts = url.split('/').map((part) => (part.startsWith(':') ? '[^/]+' : escaped(part)))
  return new RegExp(`^${parts.join('/')}$`)
}

function escaped(part: string): string {
  return part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
