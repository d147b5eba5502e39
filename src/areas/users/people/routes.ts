import type { FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import { holds } from '#lib/caller.ts'
import { newId } from '#lib/id.ts'
import { notFound } from '#lib/problem.ts'
import { Body, Email, IdParams, Line, Page, PageQuery, Resource } from '#lib/schema.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import type { Tag } from '#platform/http/openapi.ts'
import { timelinePage } from '#platform/timeline.ts'
import { brandOf, settingsOf } from '#tenants'
import { impersonationSettings } from '../impersonation/settings.ts'
import { NO_PROFILE, profileColumns } from '../profile/rules.ts'
import { findUser } from '../queries.ts'
import { Moment, ProfileChange, User } from '../schema.ts'
import { viewsOf } from '../views.ts'
import { changePerson, createPerson, suspend, unsuspend } from './actions.ts'

const tags: Tag[] = ['Auth & Users']

/** Staff give no proof, and consent to nothing on behalf of others. */
const {
  currentPassword: _own,
  code: _code,
  marketingConsent: _consent,
  ...changeable
} = ProfileChange.properties
const PersonChange = Body(changeable)
const NewPerson = Body({ ...changeable, email: Email, name: Line() })

/** Kinds that people do not see in their own timeline: who was referred is about another person. */
const OF_OTHERS = ['affiliation.brought', 'affiliation.referral-corrected']

/** Kinds that staff without the permission to change people do not see. */
const SIGN_INS = ['users.signed-in', 'users.api-key-made', 'users.api-key-revoked']

const { actorId: _actor, ...ownMoment } = Moment.properties
const OwnMoment = Resource('OwnTimelineEntry', ownMoment)

/** The reason for viewing an account as its owner is shown only to staff. */
function ownMomentOf({ actorId: _, ...moment }: Static<typeof Moment>) {
  return moment.kind === 'users.impersonated' ? { ...moment, detail: null } : moment
}

function exists({ db, tenantId, params }: FastifyRequest) {
  return findUser(db, { tenantId, userId: (params as { id: string }).id })
}

export const peopleRoutes: Routes = (app, deps) => {
  const { areas, secrets, forgetCallers } = deps
  const views = viewsOf(deps)

  app.route({
    method: 'POST',
    url: '/v1/admin/users',
    config: { access: 'admin', permission: 'users:write' },
    schema: {
      tags,
      summary: 'Create an account for a customer',
      description:
        'The account has no password: the customer gets a link by mail, valid for seven days, to choose one. Opening it also confirms the address. Without `locale`, the language is that of the shop. 409 `address_unavailable` for the address of another account; a member of staff who creates too many in a day gets a 429 (`limits.accountsPerStaffMember`).',
      body: NewPerson,
      response: { 201: User, ...problems(409, 422) },
    },
    async handler({ caller, body: { email, locale, ...profile }, db, now, transactOn }, reply) {
      const id = newId()
      const wanted = {
        id,
        ...profileColumns(NO_PROFILE, profile, now),
        ...{ email, name: profile.name },
        locale: locale ?? (await brandOf(db, caller.tenantId)).locale ?? 'en',
      }
      // The entry in the audit log names the account.
      const user = await transactOn(id, (tx) => createPerson(tx, { secrets, caller }, wanted, now))
      return reply.code(201).send(await views.one(db, user))
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/admin/users/:id',
    config: { access: 'admin', permission: 'users:read' },
    schema: {
      tags,
      summary: 'One person',
      params: IdParams,
      response: { 200: User, ...problems(404) },
    },
    async handler({ tenantId, params, db }) {
      const user = await findUser(db, { tenantId, userId: params.id })
      if (!user) throw notFound('User')
      return views.one(db, user)
    },
  })

  app.route({
    method: 'PATCH',
    url: '/v1/admin/users/:id',
    config: { access: 'admin', permission: 'users:write', exists },
    schema: {
      tags,
      summary: 'Change the profile of a person; omitted fields stay',
      description:
        'A new e-mail address takes effect once the link sent to it was opened; the current one is notified.',
      params: IdParams,
      body: PersonChange,
      response: { 200: User, ...problems(404, 409, 422) },
    },
    async handler({ caller, params, body: change, db, now, transact }) {
      const key = { tenantId: caller.tenantId, userId: params.id }
      const user = await transact(async (tx) => {
        const permissions = await views.permissionsOf(tx, key)
        const target = { userId: key.userId, permissions }
        return changePerson(tx, { secrets, caller }, { target, change }, now)
      })
      return views.one(db, user)
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/users/me/timeline',
    config: { access: 'user' },
    schema: {
      tags,
      summary: 'List the events of my account, newest first',
      querystring: PageQuery,
      response: { 200: Page(OwnMoment) },
    },
    async handler({ caller, query, db }) {
      const { tellPerson } = await settingsOf(db, caller.tenantId, impersonationSettings)
      const hidden = tellPerson ? OF_OTHERS : [...OF_OTHERS, 'users.impersonated']
      const sources = areas.flatMap(({ timeline }) => timeline?.(db, caller) ?? [])
      const page = await timelinePage(db, sources, { ...query, hidden })
      return { ...page, data: page.data.map(ownMomentOf) }
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/admin/users/:id/timeline',
    config: { access: 'admin', permission: 'users:read' },
    schema: {
      tags,
      summary: 'List the events of a person, newest first',
      description: 'Parts for which the caller lacks the permission are left out',
      params: IdParams,
      querystring: PageQuery,
      response: { 200: Page(Moment), ...problems(404) },
    },
    async handler({ tenantId, caller: { permissions }, params, query, db }) {
      const key = { tenantId, userId: params.id }
      if (!(await findUser(db, key))) throw notFound('User')
      const sources = areas
        .filter(({ timelineNeeds = [] }) => timelineNeeds.every((it) => holds(permissions, it)))
        .flatMap(({ timeline }) => timeline?.(db, key) ?? [])
      const hidden = holds(permissions, 'users:write') ? [] : SIGN_INS
      return timelinePage(db, sources, { ...query, hidden })
    },
  })

  app.route({
    method: 'POST',
    url: '/v1/admin/users/:id/suspend',
    config: { access: 'admin', permission: 'users:write' },
    schema: {
      tags,
      summary: 'Suspend a person: sessions end and keys stop at once',
      description:
        'Services go on and invoices stay due. 403 for a person with permissions that the caller lacks, 409 `own_account` and `last_owner`.',
      params: IdParams,
      response: { 200: User, ...problems(404, 409) },
    },
    async handler({ caller, params, db, now, transact }) {
      const key = { tenantId: caller.tenantId, userId: params.id }
      const user = await transact(async (tx) => {
        const permissions = await views.permissionsOf(tx, key)
        return suspend(tx, { areas, caller }, { userId: key.userId, permissions }, now)
      })
      forgetCallers({ userId: key.userId })
      return views.one(db, user)
    },
  })

  app.route({
    method: 'POST',
    url: '/v1/admin/users/:id/unsuspend',
    config: { access: 'admin', permission: 'users:write' },
    schema: {
      tags,
      summary: 'Let a suspended person back in',
      description:
        'The person can sign in again; ended sessions stay ended. 403 for a person with permissions that the caller lacks.',
      params: IdParams,
      response: { 200: User, ...problems(404) },
    },
    async handler({ caller, params, db, transact }) {
      const key = { tenantId: caller.tenantId, userId: params.id }
      const user = await transact(async (tx) => {
        const permissions = await views.permissionsOf(tx, key)
        return unsuspend(tx, caller, { userId: key.userId, permissions })
      })
      return views.one(db, user)
    },
  })
}
