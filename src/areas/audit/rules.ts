import type { RecordedRequest } from '#platform/area.ts'

type Facts = Pick<RecordedRequest, 'method' | 'route' | 'caller' | 'audited'>

const TOO_MANY = 429

/**
 * Whether a request that changed nothing gets an entry: a refused write, and what an administrator
 * looks at. A refusal of nobody in particular counts where it may be a guess at a credential.
 */
export function isWorthAnEntry({ method, route, caller, audited }: Facts, statusCode: number) {
  if (statusCode >= 500 || statusCode === TOO_MANY || route === 'unknown') return false
  const reads = method === 'GET' || method === 'HEAD'
  if (reads) return audited && caller !== null
  if (statusCode < 400) return false
  return caller !== null || /^\/v1\/(auth|setup|oidc)\b/.test(route)
}
