import { Type } from 'typebox'
import { notFound } from '#lib/problem.ts'
import { Deleted, Id, IdParams, Resource } from '#lib/schema.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import type { Tag } from '#platform/http/openapi.ts'
import { findUser } from '../queries.ts'
import { deleteFact, listFacts } from './queries.ts'

const tags: Tag[] = ['Auth & Users']
const url = '/v1/admin/users/:id/facts'

const Fact = Resource('ImportedFact', {
  id: Id,
  label: Type.String({ description: 'The name of the field in the other system' }),
  text: Type.String(),
})

/** Facts about a customer from the system they were imported from; included in the customer's data export. */
export const factRoutes: Routes = (app) => {
  app.route({
    method: 'GET',
    url,
    config: { access: 'admin', permission: 'users:read' },
    schema: {
      tags,
      summary: 'List what an import knew of a person and has no field of its own',
      description:
        'Notes, custom fields and contacts of the system that the person was imported from.',
      params: IdParams,
      response: { 200: Type.Object({ data: Type.Array(Fact) }), ...problems(404) },
    },
    async handler({ db, tenantId, params: { id: userId } }) {
      if (!(await findUser(db, { tenantId, userId }))) throw notFound('User')
      return { data: await listFacts(db, { tenantId, userId }) }
    },
  })

  app.route({
    method: 'DELETE',
    url: `${url}/:factId`,
    config: { access: 'admin', permission: 'users:write' },
    schema: {
      tags,
      summary: 'Delete an imported fact about a person',
      params: Type.Object({ id: Id, factId: Id }),
      response: { 200: Deleted, ...problems(404) },
    },
    async handler({ tenantId, params: { id: userId, factId: id }, transact }) {
      const gone = await transact((tx) => deleteFact(tx, { tenantId, userId, id }))
      if (!gone) throw notFound('Fact')
      return { id, deleted: true }
    },
  })
}
