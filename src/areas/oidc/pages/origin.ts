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
