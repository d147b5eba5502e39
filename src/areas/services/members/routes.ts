import { type Static, Type } from 'typebox'
import { forbidden, notFound } from '#lib/problem.ts'
import { Body, Deleted, Id, IdParams, OneOf, Page, Resource, Timestamp } from '#lib/schema.ts'
import type { Tx } from '#platform/database/index.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import { enqueue } from '#platform/jobs.ts'
import { permissionsFrom } from '../invitations/rules.ts'
import { Permissions } from '../invitations/schema.ts'
import { ownService } from '../lifecycle/routes.ts'
import { findService, findServiceOf } from '../queries.ts'
import { MemberPermission } from '../schema.ts'
import { syncMembers } from '../work.ts'
import {
  deleteMember,
  findMember,
  listMembers,
  type MemberKey,
  type MemberRow,
  updateMember,
} from './queries.ts'

const tags = ['Services']

/** A person who has a service: its owner or a member. */
const Member = Resource('ServiceMember', {
  userId: Id,
  name: Type.String(),
  role: OneOf(['owner', 'member']),
  permissions: Type.Array(MemberPermission),
  createdAt: Timestamp,
})
export type Member = Static<typeof Member>

/** A member as the others of the service see them: only first names are shown. */
function memberView({ name, permissions, ...member }: MemberRow): Member {
  return {
    ...member,
    name: name.split(' ')[0] ?? '',
    permissions: permissions as MemberPermission[],
  }
}

const MemberParams = Type.Object({ id: Id, userId: Id })

/** The owner and members of a service. */
export const memberRoutes: Routes = (app) => {
  app.route({
    method: 'GET',
    url: '/v1/admin/services/:id/members',
    config: { access: 'admin', permission: 'services:read' },
    schema: {
      tags: ['Admin - Operations'],
      summary: 'List the members of a customer’s service with their full names, its owner first',
      params: IdParams,
      response: { 200: Page(Member), ...problems(404) },
    },
    async handler({ db, tenantId, params: { id } }) {
      if (!(await findService(db, { tenantId, id }))) throw notFound('Service')
      const members = await listMembers(db, { tenantId, id })
      const data = members.map((it) => ({ ...memberView(it), name: it.name }))
      return { data, nextCursor: null }
    },
  })

  app.route({
    method: 'DELETE',
    url: '/v1/admin/services/:id/members/:userId',
    config: { access: 'admin', permission: 'services:write' },
    schema: {
      tags: ['Admin - Operations'],
      summary: 'Remove a member from the service of a customer',
      description: 'Access on the panel ends with it.',
      params: MemberParams,
      response: { 200: Deleted, ...problems(404) },
    },
    async handler({ tenantId, params: { id, userId }, transact }) {
      await transact((tx) => removeMember(tx, { tenantId, serviceId: id, userId }))
      return { id: userId, deleted: true }
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/services/:id/members',
    config: { access: 'user' },
    schema: {
      tags,
      summary: 'List the members of a service, its owner first',
      params: IdParams,
      response: { 200: Page(Member), ...problems(404) },
    },
    async handler({ db, caller, params: { id } }) {
      const service = await findServiceOf(db, caller, id)
      if (!service) throw notFound('Service')
      const members = await listMembers(db, { tenantId: caller.tenantId, id })
      return { data: members.map(memberView), nextCursor: null }
    },
  })

  app.route({
    method: 'PATCH',
    url: '/v1/services/:id/members/:userId',
    config: {
      access: 'user',
      async exists({ db, caller, params }) {
        const { id, userId: memberId } = params as Static<typeof MemberParams>
        const service = await ownService(db, caller, id)
        return findMember(db, { tenantId: service.tenantId, serviceId: id, userId: memberId })
      },
    },
    schema: {
      tags,
      summary: 'Change the permissions of a member of my service; `view` is always included',
      description: 'Panel access follows at once. Only for the owner.',
      params: MemberParams,
      body: Body({ permissions: Type.Optional(Permissions) }),
      response: { 200: Member, ...problems(403, 404) },
    },
    async handler({ caller, params: { id, userId }, body: { permissions }, transact }) {
      const { tenantId } = caller
      const key = { tenantId, serviceId: id, userId }
      return transact(async (tx) => {
        await ownService(tx, caller, id)
        if (permissions && (await updateMember(tx, key, permissionsFrom(permissions)))) {
          await enqueue(tx, syncMembers, { tenantId, serviceId: id }, { key: id })
        }
        const member = await findMember(tx, key)
        if (member?.role !== 'member') throw notFound('Member')
        return memberView(member)
      })
    },
  })

  app.route({
    method: 'DELETE',
    url: '/v1/services/:id/members/:userId',
    config: { access: 'user' },
    schema: {
      tags,
      summary: 'Remove a member from a service, or leave it',
      description: 'Owners remove anyone, members themselves. Access on the panel ends with it.',
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
        await removeMember(tx, { tenantId, serviceId: id, userId })
      })
      return { id: userId, deleted: true }
    },
  })
}

async function removeMember(tx: Tx, member: MemberKey): Promise<void> {
  const { tenantId, serviceId } = member
  if (!(await deleteMember(tx, member))) throw notFound('Member')
  await enqueue(tx, syncMembers, { tenantId, serviceId }, { key: serviceId })
}
