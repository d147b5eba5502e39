import type { FastifyRequest } from 'fastify'

const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
/** What a path that leads nowhere may show: a word, as of a misspelt route. */
const WORD = /^(?:v\d|[a-z]+(?:-[a-z]+)*)?$/

/**
 * The path of a request for the log and the audit log: its route with the ids in it. Everything else that stands for a
 * parameter stays `:name`, since it may be the token of a link, and so may any part of an unknown path but its words.
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
