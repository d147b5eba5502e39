import type { FastifyRequest } from 'fastify'
import { forbidden } from '#lib/problem.ts'

/**
 * Throws 403 for a form that was sent from another site's page: browsers send the origin of every
 * form, and newer ones how it relates to our site.
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
 * Throws 403 for a form that was not sent from a page of the same host. Unlike `assertOwnOrigin` it
 * accepts every host name of the shop, also behind a trusted proxy.
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
