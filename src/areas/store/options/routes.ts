import { Type } from 'typebox'
import { notFound } from '#lib/problem.ts'
import { Deleted, Id, IdParams, NoBody, Page, PageQuery } from '#lib/schema.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import type { Tag } from '#platform/http/openapi.ts'
import { existing } from '../paths.ts'
import { ArchivedQuery } from '../schema.ts'
import { archiveOption, changeOption, createOption, restoreOption } from './actions.ts'
import { findOpenOption, findOption, listOptions } from './queries.ts'
import { NewOption, Option, OptionChange } from './schema.ts'
import { optionView } from './views.ts'

const tags: Tag[] = ['Admin - Store & Invoices']
const url = '/v1/admin/options'
const reading = { access: 'admin', permission: 'store:read' } as const
const writing = { access: 'admin', permission: 'store:write' } as const

const OptionQuery = Type.Object({
  ...PageQuery.properties,
  groupId: Type.Optional(Id),
  ...ArchivedQuery,
})

/** What administrators do with options. */
export const optionRoutes: Routes = (app) => {
  app.route({
    method: 'GET',
    url,
    config: reading,
    schema: {
      tags,
      summary: 'List options with their values and prices, newest first; or archived ones',
      querystring: OptionQuery,
      response: { 200: Page(Option) },
    },
    async handler({ query: { groupId, archived = false, ...page }, tenantId, db }) {
      const options = await listOptions(
        db,
        { tenantId, archived, ...(groupId && { groupId }) },
        page,
      )
      return { ...options, data: options.data.map(optionView) }
    },
  })

  app.route({
    method: 'POST',
    url,
    config: writing,
    schema: {
      tags,
      summary: 'Add an option to a group',
      description:
        'The effects of its values are checked for every product of the group: 422 `effect_on_unlimited` and `environment_invalid` name each value that a server cannot have.',
      body: NewOption,
      response: { 201: Option, ...problems(409, 422) },
    },
    async handler({ body, caller, now, transact }, reply) {
      reply.code(201)
      return optionView(await transact((tx) => createOption(tx, caller, body, now)))
    },
  })

  app.route({
    method: 'GET',
    url: `${url}/:id`,
    config: reading,
    schema: { tags, summary: 'Get an option', params: IdParams, response: { 200: Option } },
    async handler({ params, tenantId, db }) {
      const option = await findOpenOption(db, { tenantId, ...params })
      if (!option) throw notFound('Option')
      return optionView(option)
    },
  })

  app.route({
    method: 'PATCH',
    url: `${url}/:id`,
    config: { ...writing, exists: existing(findOpenOption) },
    schema: {
      tags,
      summary: 'Change an option for future orders; services keep what they have',
      description:
        '`values`, `tiers` and `prices` replace those that it had. A value that is left out is archived, and listed again it is offered again.',
      params: IdParams,
      body: OptionChange,
      response: { 200: Option, ...problems(404, 409, 422) },
    },
    async handler({ params, body, tenantId, now, transact }) {
      const key = { tenantId, ...params }
      return optionView(await transact((tx) => changeOption(tx, key, body, now)))
    },
  })

  app.route({
    method: 'DELETE',
    url: `${url}/:id`,
    config: writing,
    schema: {
      tags,
      summary: 'Archive an option; services keep it',
      description:
        'It is no longer offered; `restore` takes it back. 422 while another option of the group requires it.',
      params: IdParams,
      response: { 200: Deleted, ...problems(404, 422) },
    },
    handler: ({ params, tenantId, now, transact }) =>
      transact((tx) => archiveOption(tx, { tenantId, ...params }, now)),
  })

  app.route({
    method: 'POST',
    url: `${url}/:id/restore`,
    config: { ...writing, exists: existing(findOption) },
    schema: {
      tags,
      summary: 'Offer an archived option again',
      description:
        'Checked as when it was added: 409 `option_twice`. 409 while its group is archived.',
      params: IdParams,
      body: NoBody,
      response: { 200: Option, ...problems(404, 409, 422) },
    },
    async handler({ params, tenantId, transact }) {
      return optionView(await transact((tx) => restoreOption(tx, { tenantId, ...params })))
    },
  })
}
