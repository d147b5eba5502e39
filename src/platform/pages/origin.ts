import type { FastifyRequest } from 'fastify'
import { forbidden } from '#lib/problem.ts'

/**
 * Throws 403 for a form that another site's page sent: browsers name the origin of every form, and
 * those that know it say how it relates to us.
 */
export function assertOwnOrigin(
  { headers }: Pick<FastifyRequest, 'headers'>,
  issuer: string,
): void {
  const { origin, 'sec-fetch-site': site } = headers
  const isForeign = origin === undefined ? site === 'cross-site' : origin !== new URL(issuer).origin
  if (isForeign || site === 'same-site') {
    throw forbidden('This form was sent from another page.', 'foreign_origin')
  }
}

/**
 * Throws 403 for a form that did not come from a page of the host that it was sent to. Unlike
 * `assertOwnOrigin` it holds for every name the shop is reached by, behind a trusted proxy, too.
 */
export function assertSameOrigin({
  headers,
  host,
}: Pick<FastifyRequest, 'headers' | 'host'>): void {
  const { origin, 'sec-fetch-site': site } = headers
  const own = origin !== undefined && URL.parse(origin)?.host === host.toLowerCase()
  if (!own || (site !== undefined && site !== 'same-origin')) {
    throw forbidden('This form was sent from another page.', 'foreign_origin')
  }
}
