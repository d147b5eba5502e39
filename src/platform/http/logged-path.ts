import type { FastifyRequest } from 'fastify'

const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
/** The parts of an unknown path that may be logged: words, for example of a misspelt route. */
const WORD = /^(?:v\d|[a-z]+(?:-[a-z]+)*)?$/

/**
 * The path of a request for the log and the audit log: its route with the ids in it. Any other parameter stays `:name`,
 * since it may be the token of a link; so may any part of an unknown path, of which only the words are logged.
 */
export function loggedPath({
  url,
  params,
  routeOptions,
}: Pick<FastifyRequest, 'url' | 'params' | 'routeOptions'>): string {
  if (!routeOptions.url) {
    const [path = ''] = url.split('?')
    return path.replace(/[^/]+/g, (part) => (WORD.test(part) || ID.test(part) ? part : ':unknown'))
  }
  const given = (params ?? {}) as Record<string, string>
  return routeOptions.url.replace(/:(\w+)/g, (pattern, name: string) => {
    const value = given[name] ?? ''
    return ID.test(value) ? value : pattern
  })
}
