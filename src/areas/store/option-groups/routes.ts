import { Type } from 'typebox'
import { notFound } from '#lib/problem.ts'
import { Deleted, IdParams, NoBody, Page, PageQuery } from '#lib/schema.ts'
import type { Db } from '#platform/database/index.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import type { Tag } from '#platform/http/openapi.ts'
import { existing } from '../paths.ts'
import { ArchivedQuery } from '../schema.ts'
import { archiveGroup, changeGroup, createGroup, restoreGroup } from './actions.ts'
import {
  findGroup,
  findOpenGroup,
  type GroupRow,
  listBriefly,
  listGroups,
  productIdsOf,
} from './queries.ts'
import { Group, GroupChange, NewGroup } from './schema.ts'

const tags: Tag[] = ['Admin - Store & Invoices']
const url = '/v1/admin/option-groups'
const reading = { access: 'admin', permission: 'store:read' } as const
const writing = { access: 'admin', permission: 'store:write' } as const
const GroupQuery = Type.Object({ ...PageQuery.properties, ...ArchivedQuery })

/** What administrators do with groups of options. */
export const optionGroupRoutes: Routes = (app) => {
  app.route({
    method: 'GET',
    url,
    config: reading,
    schema: {
      tags,
      summary: 'List groups of options, newest first; or archived ones',
      querystring: GroupQuery,
      response: { 200: Page(Group) },
    },
    async handler({ query: { archived = false, ...page }, tenantId, db }) {
      const groups = await listGroups(db, { tenantId, archived }, page)
      return { ...groups, data: await viewsOf(db, tenantId, groups.data) }
    },
  })

  app.route({
    method: 'POST',
    url,
    config: writing,
    schema: {
      tags,
      summary: 'Add a group of options',
      description:
        'Its options are offered with its products. 409 `option_twice` where a product has one of their keys from another group.',
      body: NewGroup,
      response: { 201: Group },
    },
    async handler({ body, caller, now, transact }, reply) {
      reply.code(201)
      return transact(async (tx) => viewOf(tx, await createGroup(tx, caller, body, now)))
    },
  })

  app.route({
    method: 'GET',
    url: `${url}/:id`,
    config: reading,
    schema: { tags, summary: 'Get a group of options', params: IdParams, response: { 200: Group } },
    async handler({ params, tenantId, db }) {
      const group = await findOpenGroup(db, { tenantId, ...params })
      if (!group) throw notFound('Option group')
      return viewOf(db, group)
    },
  })

  app.route({
    method: 'PATCH',
    url: `${url}/:id`,
    config: { ...writing, exists: existing(findOpenGroup) },
    schema: {
      tags,
      summary: 'Change a group: its name, its products, the order of its options',
      description:
        '`productIds` and `optionIds` replace the lists that it had. 409 `option_twice`, 422 `effect_on_unlimited` or `environment_invalid` for a product that its options do not fit.',
      params: IdParams,
      body: GroupChange,
      response: { 200: Group, ...problems(404, 409, 422) },
    },
    handler: ({ params, body, tenantId, transact }) =>
      transact(async (tx) => viewOf(tx, await changeGroup(tx, { tenantId, ...params }, body))),
  })

  app.route({
    method: 'DELETE',
    url: `${url}/:id`,
    config: writing,
    schema: {
      tags,
      summary: 'Archive a group with its options; services keep them',
      description: 'They are no longer offered; `restore` takes it back.',
      params: IdParams,
      response: { 200: Deleted, ...problems(404) },
    },
    handler: ({ params, tenantId, now, transact }) =>
      transact((tx) => archiveGroup(tx, { tenantId, ...params }, now)),
  })

  app.route({
    method: 'POST',
    url: `${url}/:id/restore`,
    config: { ...writing, exists: existing(findGroup) },
    schema: {
      tags,
      summary: 'Offer an archived group with its products again',
      description: 'Checked as when it was added: 409 `option_twice`.',
      params: IdParams,
      body: NoBody,
      response: { 200: Group, ...problems(404, 409, 422) },
    },
    handler: ({ params, tenantId, transact }) =>
      transact(async (tx) => viewOf(tx, await restoreGroup(tx, { tenantId, ...params }))),
  })
}

async function viewOf(db: Db, group: GroupRow): Promise<Group> {
  const [view] = await viewsOf(db, group.tenantId, [group])
  if (!view) throw notFound('Option group')
  return view
}

/** Groups with their products and options: two statements for all. */
async function viewsOf(db: Db, tenantId: string, groups: readonly GroupRow[]): Promise<Group[]> {
  const ids = groups.map(({ id }) => id)
  const products = await productIdsOf(db, tenantId, ids)
  const options = Map.groupBy(await listBriefly(db, tenantId, ids), ({ groupId }) => groupId)
  return groups.map((group) => {
    const own = options.get(group.id) ?? []
    return {
      ...group,
      productIds: products.get(group.id) ?? [],
      optionIds: own.filter((it) => it.archivedAt === null).map(({ id }) => id),
      options: own,
    }
  })
}
