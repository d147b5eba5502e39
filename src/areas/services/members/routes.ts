import { type Static, Type } from 'typebox'
import { forbidden, notFound } from '#lib/problem.ts'
import { Deleted, Id, IdParams, OneOf, Page, Resource, Timestamp } from '#lib/schema.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import { enqueue } from '#platform/jobs.ts'
import { findServiceOf } from '../queries.ts'
import { MemberPermission } from '../schema.ts'
import { syncMembers } from './jobs.ts'
import { deleteMember, listMembers } from './queries.ts'

const tags = ['Services']

/** Somebody who has a service: its owner, or a person it is shared with. */
const Member = Resource('ServiceMember', {
  userId: Id,
  name: Type.String(),
  role: OneOf(['owner', 'member']),
  permissions: Type.Array(MemberPermission),
  createdAt: Timestamp,
})
export type Member = Static<typeof Member>

const MemberParams = Type.Object({ id: Id, userId: Id })

/** Who shares a service. */
export const memberRoutes: Routes = (app) => {
  app.route({
    method: 'GET',
    url: '/v1/services/:id/members',
    config: { access: 'user' },
    schema: {
      tags,
      summary: 'Who has a service, its owner first',
      params: IdParams,
      response: { 200: Page(Member), ...problems(404) },
    },
    async handler({ db, caller, params: { id } }) {
      const service = await findServiceOf(db, caller, id)
      if (!service) throw notFound('Service')
      const members = await listMembers(db, { tenantId: caller.tenantId, id })
      const data = members.map(({ name, ...member }) => ({
        ...member,
        // What people learn of each other is the first name.
        name: name.split(' ')[0] ?? '',
        permissions: member.permissions as MemberPermission[],
      }))
      return { data, nextCursor: null }
    },
  })

  app.route({
    method: 'DELETE',
    url: '/v1/services/:id/members/:userId',
    config: { access: 'user' },
    schema: {
      tags,
      summary: 'Stop sharing a service with somebody, or leave it',
      params: MemberParams,
      response: { 200: Deleted, ...problems(403, 404) },
    },
    async handler({ caller, params: { id, userId }, transact }) {
      const { tenantId } = caller
      await transact(async (tx) => {
        const service = await findServiceOf(tx, caller, id)
        if (!service) throw notFound('Service')
        if (service.role !== 'owner' && caller.userId !== userId) {
          throw forbidden('Only the owner may do this.')
        }
        if (!(await deleteMember(tx, { tenantId, serviceId: id, userId }))) {
          throw notFound('Member')
        }
        await enqueue(tx, syncMembers, { tenantId, serviceId: id }, { key: id })
      })
      return { id: userId, deleted: true }
    },
  })
}
