import type { Panel } from '../panel.ts'
import { answerDaemon, REMOTE } from '../pterodactyl/remote.ts'
import { findKey } from '../state/keys.ts'
import type { Key } from '../state/rows.ts'
import { allows } from './envelope.ts'
import { accessDenied, PanelError, unauthenticated, unknownRoute } from './errors.ts'
import { parseBody, queryFields } from './input.ts'
import { type Access, callOf, findRoute, type Reply } from './router.ts'

/** One request as it arrived, read to its end. */
export type Arrival = {
  method: string
  url: URL
  authorization: string | undefined
  contentType: string
  address: string
  body: string
}

/**
 * Answers a request in the panel's own order of checks: key, body, second factor, address, rate
 * limit, what the path names, the owner's and the key's rights, the rules of the fields, and only
 * then the operation. Every answer after the rate limit tells what is left of it.
 */
export async function answer(panel: Panel, arrival: Arrival): Promise<Reply> {
  const { method, url } = arrival
  if (url.pathname.startsWith(`${REMOTE}/`)) return answerDaemon(panel, arrival)
  const { found, otherMethods } = findRoute(panel.flavour.routes, method, url.pathname)
  if (!found)
    throw otherMethods.length > 0 ? wrongMethod(arrival, otherMethods) : unknownRoute(url.pathname)
  const { access, prepare } = found.route

  const key = findKey(panel.data, arrival.authorization)
  if (!key) throw unauthenticated()
  const input = readInput(arrival)
  requireSecondFactor(panel, key)
  requireAddress(key, arrival.address)
  const count = () => panel.throttle.pass(access.api, key.userId)
  let headers = panel.flavour.countsLate ? {} : count()
  try {
    const operation = prepare(panel, found.params, key)
    requireRights(panel, key, access)
    if (panel.flavour.countsLate) headers = count()
    const reply = await operation(callOf(panel, key, url, input))
    return { ...reply, headers: { ...headers, ...reply.headers } }
  } catch (error) {
    if (!(error instanceof PanelError)) throw error
    return { status: error.status, body: error, headers: { ...headers, ...error.headers } }
  }
}

function readInput({ method, url, contentType, body }: Arrival): Record<string, unknown> {
  const fields = contentType.includes('json')
    ? parseBody(body)
    : queryFields(new URLSearchParams(body))
  return method === 'GET' ? { ...queryFields(url.searchParams), ...fields } : fields
}

function requireSecondFactor(panel: Panel, key: Key): void {
  if (!panel.twoFactorRequired || panel.data.users.get(key.userId).twoFactor) return
  throw new PanelError(
    400,
    'TwoFactorAuthRequiredException',
    'Two-factor authentication is required on this account in order to access this endpoint.',
  )
}

function requireAddress(key: Key, address: string): void {
  if (key.allowedIps.length === 0 || key.allowedIps.includes(address)) return
  throw accessDenied(
    `This IP address (${address}) does not have permission to access the API using these credentials.`,
  )
}

function requireRights(panel: Panel, key: Key, access: Access): void {
  if (access.api === 'client') {
    if (key.kind === 'account') return
    throw accessDenied(
      'You are attempting to use an application API key on an endpoint that requires a client API key.',
    )
  }
  if (!panel.data.users.get(key.userId).rootAdmin) {
    throw accessDenied('This account does not have permission to access the API.')
  }
  if (!allows(key, access.resource, access.level)) throw accessDenied()
}

function wrongMethod({ method, url }: Arrival, allowed: readonly string[]): PanelError {
  const methods = [...new Set(allowed)].join(', ')
  const detail = `The ${method} method is not supported for route ${url.pathname.slice(1)}. Supported methods: ${methods}.`
  return new PanelError(405, 'MethodNotAllowedHttpException', detail, { allow: methods })
}
