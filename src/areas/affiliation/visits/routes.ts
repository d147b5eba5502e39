import { Type } from 'typebox'
import { newId } from '#lib/id.ts'
import { Body, Line, Resource, Timestamp } from '#lib/schema.ts'
import { DAY_MS, dayOf, later } from '#lib/time.ts'
import type { Routes } from '#platform/http/index.ts'
import type { Tag } from '#platform/http/openapi.ts'
import { randomToken, tokenHash } from '#platform/secrets.ts'
import { settingsOf } from '#tenants'
import { findAffiliateByCode } from '../affiliates/queries.ts'
import { codeOf, earns } from '../affiliates/rules.ts'
import { affiliationSettings } from '../settings.ts'
import { countClick, countFrom, insertVisit } from './queries.ts'
import { isRobot, MOST_A_DAY, originHash } from './rules.ts'

const tags: Tag[] = ['Affiliation']

const Click = Body({
  code: { ...Line(64), description: 'What stands behind `?ref=` in the link' },
  visitorToken: Type.Optional({
    ...Type.String({ pattern: '^[A-Za-z0-9_-]{43}$' }),
    description: 'What an earlier click in this browser was answered with',
  }),
})

const Clicked = Resource('RecordedVisit', {
  visitorToken: Type.String({
    description: 'For a first-party cookie; goes along when the visitor registers',
  }),
  expiresAt: Timestamp,
})

/** Clicks on the links of affiliates. */
export const visitRoutes: Routes = (app, { secrets }) => {
  app.route({
    method: 'POST',
    url: '/v1/affiliation/visits',
    config: { access: 'public' },
    schema: {
      tags,
      summary: 'Record a click on a link',
      description:
        'The answer is the same whether the code is known or not. Clicks of programs that are not browsers, and more clicks than people make, are not recorded.',
      body: Click,
      response: { 201: Clicked },
    },
    async handler({ body, headers, ip: address, tenantId, db, now, transact }, reply) {
      const { enabled, attributionDays } = await settingsOf(db, tenantId, affiliationSettings)
      const visitorToken = body.visitorToken ?? randomToken()
      const expiresAt = later(now, attributionDays * DAY_MS)
      reply.code(201)
      const answer = { visitorToken, expiresAt }
      if (!enabled || isRobot(headers['user-agent'])) return answer
      const affiliate = await findAffiliateByCode(db, tenantId, codeOf(body.code))
      if (!affiliate || !earns(affiliate)) return answer
      const origin = { tenantId, originHash: originHash(secrets, { tenantId, address }, now) }
      if ((await countFrom(db, origin)) >= MOST_A_DAY) return answer
      const visit = { ...origin, id: newId(), affiliateId: affiliate.id, createdAt: now, expiresAt }
      await transact(async (tx) => {
        await insertVisit(tx, { ...visit, visitorHash: tokenHash(visitorToken) })
        await countClick(tx, visit, dayOf(now))
      })
      return answer
    },
  })
}
