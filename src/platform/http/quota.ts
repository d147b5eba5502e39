import type { FastifyRequest } from 'fastify'
import { networkOf } from '#lib/network.ts'
import { Problem, tooManyRequests } from '#lib/problem.ts'
import type { Deps } from '../deps.ts'
import type { App } from './index.ts'
import { isInner } from './inner.ts'
import type { RateLimiter, Standing } from './limits.ts'

/** The five headers of every response. */
export function rateLimitHeaders(general: Standing, auth: Standing): Record<string, string> {
  return {
    'x-ratelimit-limit': String(general.limit),
    'x-ratelimit-remaining': String(general.remaining),
    'x-ratelimit-reset': String(general.resetSeconds),
    'x-ratelimit-limit-auth': String(auth.limit),
    'x-ratelimit-remaining-auth': String(auth.remaining),
  }
}

/**
 * Counts a request against the general quota of its caller, and against the ceiling of the user over all
 * their keys and sessions. Throws 429.
 */
export async function spendGeneral(
  { limiter, metrics }: Deps,
  request: FastifyRequest,
  key: string,
  person: string | null,
): Promise<void> {
  request.scope.generalKey = key
  if (request.routeOptions.config.uncounted || isInner(request)) return
  const [own, all] = await Promise.all([
    limiter.spend('general', key),
    person === null ? null : limiter.spend('person', person),
  ])
  refuseExceeded(own, metrics)
  if (!all?.exceeded) return
  metrics.refusals.inc({ reason: 'quota' })
  throw new Problem(429, 'All keys and sessions of this account make too many requests together.', {
    code: 'account_quota_exceeded',
    headers: { 'retry-after': String(all.resetSeconds) },
  })
}

/** Counts a request against the authentication quota of its network. Throws 429. */
export async function spendAuth(
  { limiter, metrics }: Deps,
  request: FastifyRequest,
): Promise<void> {
  refuseExceeded(await limiter.spend('auth', networkOf(request.ip)), metrics)
}

function refuseExceeded({ exceeded, resetSeconds }: Standing, metrics: Deps['metrics']): void {
  if (!exceeded) return
  metrics.refusals.inc({ reason: 'quota' })
  throw tooManyRequests(resetSeconds)
}

/** Adds the five headers to every response. */
export function showQuotas(app: App, limiter: RateLimiter): void {
  app.addHook('onSend', (request, reply, _payload, done) => {
    const network = networkOf(request.ip)
    const key = request.scope?.generalKey ?? `ip ${network}`
    reply.headers(rateLimitHeaders(limiter.look('general', key), limiter.look('auth', network)))
    done()
  })
}
