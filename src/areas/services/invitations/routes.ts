import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { networkOf } from '#lib/network.ts'
import { notFound } from '#lib/problem.ts'
import { Deleted, Id, IdParams, Page, PageQuery } from '#lib/schema.ts'
import type { Deps } from '#platform/deps.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import { findUser } from '#users'
import { findOwnService } from '../queries.ts'
import type { MemberPermission } from '../schema.ts'
import { acceptInvitation, declineInvitation, invite, resend, revoke } from './actions.ts'
import { findPreview, listInvitations, listReceived } from './queries.ts'
import { assertOpen, firstNameOf, statusOf, viewOf } from './rules.ts'
import {
  Invitation,
  InvitationPreview,
  InvitationWithToken,
  NewInvitation,
  ReceivedInvitation,
} from './schema.ts'
import { idIn, tokenOf } from './tokens.ts'

const tags = ['Services']
const InvitationParams = Type.Object({ id: Id, invitationId: Id })
const TokenParams = Type.Object({ token: Type.String() })

/** What the owner of a service does with its invitations. */
export const invitationRoutes: Routes = (app, deps) => {
  app.route({
    method: 'GET',
    url: '/v1/services/:id/invitations',
    config: { access: 'user', impersonation: 'allowed' },
    schema: {
      tags,
      summary: 'The invitations to one of my services, newest first',
      params: IdParams,
      querystring: PageQuery,
      response: { 200: Page(Invitation), ...problems(404) },
    },
    async handler({ db, caller, params, query, now }) {
      const service = await findOwnService(db, caller, params.id)
      if (!service) throw notFound('Service')
      const page = await listInvitations(db, service, query)
      return { ...page, data: page.data.map((it) => viewOf(it, now)) }
    },
  })

  app.route({
    method: 'POST',
    url: '/v1/services/:id/invitations',
    config: {
      access: 'user',
      secretAnswer: true,
      exists: ({ db, caller, params }) => findOwnService(db, caller, idOf(params)),
    },
    schema: {
      tags,
      summary: 'Invite a person to one of my services; the token is shown only once',
      description:
        'Mailed to the address, and valid for seven days; an open invitation of the same address is replaced. 409 `service_ended`, 422 `own_address`, 429 `limit_reached`.',
      params: IdParams,
      body: NewInvitation,
      response: { 201: InvitationWithToken, ...problems(404, 409, 422) },
    },
    async handler({ caller, params, body, now, transact }, reply) {
      const wanted = { ...body, serviceId: params.id }
      const invitation = await transact((tx) => invite(tx, caller, wanted, now))
      const token = tokenOf(deps, invitation.id)
      return reply.code(201).send({ ...viewOf(invitation, now), token })
    },
  })

  app.route({
    method: 'POST',
    url: '/v1/services/:id/invitations/:invitationId/resend',
    config: { access: 'user' },
    schema: {
      tags,
      summary: 'Send an invitation again',
      description:
        'With a new token and seven more days. 409 `invitation_closed` and `too_many_sends`.',
      params: InvitationParams,
      response: { 200: Invitation, ...problems(404, 409) },
    },
    async handler({ caller, params, now, transact }) {
      const key = { serviceId: params.id, id: params.invitationId }
      return viewOf(await transact((tx) => resend(tx, caller, key, now)), now)
    },
  })

  app.route({
    method: 'DELETE',
    url: '/v1/services/:id/invitations/:invitationId',
    config: { access: 'user' },
    schema: {
      tags,
      summary: 'Revoke an invitation',
      description: '409 `invitation_closed` once it was answered.',
      params: InvitationParams,
      response: { 200: Deleted, ...problems(404, 409) },
    },
    async handler({ caller, params, now, transact }) {
      const key = { serviceId: params.id, id: params.invitationId }
      await transact((tx) => revoke(tx, caller, key, now))
      return { id: params.invitationId, deleted: true }
    },
  })
}

/** What the person who received the link does. */
export const answerRoutes: Routes = (app, deps) => {
  app.route({
    method: 'GET',
    url: '/v1/invitations',
    config: { access: 'user' },
    schema: {
      tags,
      summary: 'The invitations that wait for my answer, newest first',
      description: 'None while my e-mail address is not confirmed: they are for its owner.',
      querystring: PageQuery,
      response: { 200: Page(ReceivedInvitation) },
    },
    async handler({ db, caller, query, now }) {
      const { tenantId } = caller
      const user = await findUser(db, caller)
      if (!user?.emailVerifiedAt) return { data: [], nextCursor: null }
      const page = await listReceived(db, { tenantId, email: user.email, now }, query)
      const data = page.data.map((invitation) => ({
        ...{ id: invitation.id, serviceName: invitation.serviceName },
        inviterFirstName: firstNameOf(invitation.inviterName),
        permissions: invitation.permissions as MemberPermission[],
        token: tokenOf(deps, invitation.id),
        ...{ createdAt: invitation.createdAt, expiresAt: invitation.expiresAt },
      }))
      return { ...page, data }
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/invitations/:token',
    config: { access: 'public' },
    schema: {
      tags,
      summary: 'Get an invitation by its token, without using it',
      params: TokenParams,
      response: { 200: InvitationPreview, ...problems(404, 410) },
    },
    async handler(request) {
      const { db, tenantId, now, visitor } = request
      const id = await openToken(deps, request, request.params.token)
      const invitation = await findPreview(db, { tenantId, id })
      if (!invitation) throw notFound('Invitation')
      assertOpen(invitation, now)
      return {
        serviceName: invitation.serviceName,
        inviterFirstName: firstNameOf(invitation.inviterName),
        permissions: invitation.permissions as MemberPermission[],
        status: statusOf(invitation, now),
        expiresAt: invitation.expiresAt,
        forMe: visitor && visitor.email.toLowerCase() === invitation.email,
      }
    },
  })

  const closed =
    '403 for another address than the invited one, 410 once it was answered, revoked or expired.'
  for (const [word, answer, summary, description] of [
    [
      ...(['accept', acceptInvitation, 'Accept an invitation'] as const),
      `The caller becomes a member, also on the panel. ${closed}`,
    ],
    ['decline', declineInvitation, 'Decline an invitation', closed],
  ] as const) {
    app.route({
      method: 'POST',
      url: `/v1/invitations/:token/${word}`,
      config: { access: 'user' },
      schema: {
        tags,
        summary,
        description,
        params: TokenParams,
        response: { 200: Invitation, ...problems(403, 404, 410) },
      },
      async handler(request) {
        const { caller, now, transact } = request
        const id = await openToken(deps, request, request.params.token)
        return viewOf(await transact((tx) => answer(tx, caller, id, now)), now)
      },
    })
  }
}

/**
 * The invitation of a link. Guessing links is guessing secrets: each wrong one counts against the
 * quota, and once the quota is used up, a right one gets the same answer as a wrong one. Throws 404 or
 * 429.
 */
async function openToken(deps: Deps, request: FastifyRequest, token: string): Promise<string> {
  const { remaining } = await deps.limiter.ask('auth', networkOf(request.ip))
  if (remaining === 0) await request.spendAuthQuota()
  const id = idIn(deps, token)
  if (id) return id
  await request.spendAuthQuota()
  throw notFound('Invitation')
}

function idOf(params: unknown): string {
  return (params as { id: string }).id
}
