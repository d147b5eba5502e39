import { Type } from 'typebox'
import { LOCALES } from '#lib/languages.ts'
import { forbidden, unauthorized } from '#lib/problem.ts'
import { OneOf } from '#lib/schema.ts'
import { healthOf } from '#platform/health.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import { sendFile } from '#platform/http/request.ts'
import { mayReadMetrics } from '#platform/metrics.ts'
import {
  brandLinksOf,
  brandOf,
  brandPicturesOf,
  findLegalVersions,
  imprintOf,
  logoUrlOf,
  originOf,
  sellerOf,
} from '#tenants'
import { Health, Meta } from './schema.ts'

const tags = ['System']

/** Whether this process can serve, what it is, and what its API looks like. */
export const systemRoutes: Routes = (app, deps) => {
  app.route({
    method: 'GET',
    url: '/v1/health',
    config: { access: 'public', uncounted: true, whileSuspended: true, ofProcess: true },
    schema: {
      tags,
      summary: 'Whether this service can serve',
      response: { 200: Health, 503: Health },
    },
    async handler(_request, reply) {
      const health = await healthOf(deps)
      return reply.code(health.status === 'down' ? 503 : 200).send(health)
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/health/live',
    config: { access: 'public', uncounted: true, whileSuspended: true, ofProcess: true },
    schema: {
      tags,
      summary: 'Whether the process is up',
      response: { 200: Type.Object({ status: OneOf(['up']) }) },
    },
    handler: async () => ({ status: 'up' as const }),
  })

  app.route({
    method: 'GET',
    url: '/v1/meta',
    config: { access: 'public', whileSuspended: true },
    schema: { tags, summary: 'Name, version and brand of this shop', response: { 200: Meta } },
    async handler({ db, tenantId, scope }) {
      const [brand, seller, imprint, origin, legal] = await Promise.all([
        brandOf(db, tenantId),
        sellerOf(db, tenantId),
        imprintOf(db, tenantId),
        originOf(db, deps.config, tenantId),
        findLegalVersions(db, tenantId),
      ])
      const offers = await Promise.all(deps.areas.map((area) => area.meta?.(db, tenantId, deps)))
      const gateways = offers.flatMap((offer) => offer?.gateways ?? [])
      const registration = offers.find((offer) => offer?.registration)?.registration ?? 'closed'
      const sold = offers.flatMap((offer) => offer?.currencies ?? [])
      return {
        name: 'Moorage',
        version: deps.config.version,
        brand: {
          name: brand.name,
          ...{ logoUrl: logoUrlOf(brand, origin), ...brandPicturesOf(brand, origin) },
          primaryColor: brand.primaryColor ?? null,
          accentColor: brand.accentColor ?? null,
          legalFooter: brand.legalFooter ?? null,
          supportAddress: brand.supportAddress ?? null,
          links: brandLinksOf(brand),
        },
        status: scope.suspended ? ('suspended' as const) : ('open' as const),
        sourceUrl: deps.config.sourceUrl,
        locale: brand.locale ?? 'en',
        currency: seller.currency,
        country: seller.country,
        locales: [...LOCALES],
        currencies: [...new Set([seller.currency, ...sold])],
        priceMode: seller.priceMode,
        seller: imprint,
        legal: {
          terms: legal.get('terms') ?? null,
          privacy: legal.get('privacy') ?? null,
          legal: legal.get('legal') ?? null,
          withdraw: legal.get('withdraw') ?? null,
        },
        gateways,
        testMode: offers.some((offer) => offer?.testMode),
        signInMethods: offers.flatMap((offer) => offer?.signInMethods ?? []),
        registration: scope.suspended ? ('closed' as const) : registration,
        confirmBeforeSession: offers.some((offer) => offer?.confirmBeforeSession),
        features: {
          affiliation: offers.some((offer) => offer?.affiliation),
          affiliationConsent: offers.some((offer) => offer?.affiliationConsent),
          connections: offers.flatMap((offer) => offer?.connections ?? []),
          topUp: gateways.length > 0,
          vouchers: offers.some((offer) => offer?.vouchers),
        },
      }
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/metrics',
    config: {
      ...{ access: 'public', credential: 'metrics', uncounted: true },
      ...{ whileSuspended: true, ofProcess: true },
    },
    schema: {
      tags,
      summary: 'Measurements for Prometheus, with a token of their own',
      produces: ['text/plain'],
      response: { 200: Type.String(), ...problems(401, 403) },
    },
    async handler({ headers }, reply) {
      const { metricsToken } = deps.config
      if (!metricsToken) throw forbidden('No metrics token is configured.')
      if (!mayReadMetrics(metricsToken, headers.authorization)) throw unauthorized()
      return sendFile(
        reply,
        deps.metrics.registry.contentType,
        await deps.metrics.registry.metrics(),
      )
    },
  })
}
