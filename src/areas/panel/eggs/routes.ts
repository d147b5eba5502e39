import { badGateway, notFound } from '#lib/problem.ts'
import { IdParams, Page } from '#lib/schema.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import type { Tag } from '#platform/http/openapi.ts'
import { PanelError } from '../clients/panel-error.ts'
import { messageOf } from '../clients/pterodactyl/errors.ts'
import { beginSync } from '../nodes/actions.ts'
import { clientFor, type PanelDeps } from '../nodes/connections.ts'
import { notifyDependents } from '../nodes/dependents.ts'
import { type NodeRow, releaseSyncLease } from '../nodes/queries.ts'
import { applySync, importEggFile } from './actions.ts'
import type { Egg } from './egg.ts'
import { type EggRow, findEgg, listChanges, listEggs } from './queries.ts'
import { EggDetail, EggFile, EggQuery, EggView, SyncResult } from './schema.ts'

const tags: Tag[] = ['Admin - Operations']
const reading = { access: 'admin', permission: 'nodes:read' } as const
const writing = { access: 'admin', permission: 'nodes:write' } as const

/** Routes for the catalogue of eggs: from panels, and from imported files. */
export const eggRoutes: Routes = (app, deps) => {
  app.route({
    method: 'POST',
    url: '/v1/admin/nodes/:id/sync-eggs',
    config: writing,
    schema: {
      tags,
      summary: 'Copy all eggs of a panel to the catalogue, or change nothing',
      description:
        'Reads everything from the panel, then writes all changes or none; eggs that the panel no longer has are archived. The answer counts what changed. 409 `sync_running`, and `sync_lost` if the connection changed meanwhile.',
      params: IdParams,
      response: { 200: SyncResult, ...problems(404, 409, 502) },
    },
    async handler({ params, tenantId, now, transact }) {
      const node = await transact((tx) => beginSync(tx, { tenantId, id: params.id }, now))
      try {
        const eggs = await readEggs(deps, node)
        return await transact(async (tx) => {
          const result = await applySync(tx, node, eggs, now)
          await notifyDependents(deps, tx, tenantId, now)
          return result
        })
      } catch (error) {
        await transact((tx) => releaseSyncLease(tx, node))
        throw error
      }
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/admin/eggs',
    config: reading,
    schema: {
      tags,
      summary: 'List the eggs of the catalogue, newest first',
      querystring: EggQuery,
      response: { 200: Page(EggView) },
    },
    async handler({ query, tenantId, db }) {
      const page = await listEggs(db, tenantId, query)
      return { ...page, data: page.data.map(viewOf) }
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/admin/eggs/:id',
    config: reading,
    schema: {
      tags,
      summary: 'Get an egg, archived or not, and its recent changes',
      params: IdParams,
      response: { 200: EggDetail, ...problems(404) },
    },
    async handler({ params, tenantId, db }) {
      const egg = await findEgg(db, { tenantId, id: params.id })
      if (!egg) throw notFound('Egg')
      const changes = await listChanges(db, egg)
      return { ...viewOf(egg), changes: changes.map((it) => ({ at: it.createdAt, ...it.changes })) }
    },
  })

  app.route({
    method: 'POST',
    url: '/v1/admin/eggs/import',
    config: writing,
    schema: {
      tags,
      summary: 'Add an egg from an exported file; the same file again is the same egg',
      description:
        'Takes the export of a panel as JSON or YAML. A file with a known `uuid` updates that egg. 422 `egg_file_unreadable`, `egg_format_unsupported` or `egg_file_invalid`, with the fields in `details`.',
      body: EggFile,
      response: { 201: EggView, ...problems(422) },
    },
    async handler({ body, tenantId, now, transact }, reply) {
      reply.code(201)
      const egg = await transact(async (tx) => {
        const imported = await importEggFile(tx, { tenantId, ...body }, now)
        await notifyDependents(deps, tx, tenantId, now)
        return imported
      })
      return viewOf(egg)
    },
  })
}

function viewOf(egg: EggRow): EggView {
  return { ...egg, description: egg.description || null }
}

/** All eggs of a panel. Throws 502 `panel_failed` unless every one of them could be read. */
async function readEggs(deps: PanelDeps, node: NodeRow): Promise<Egg[]> {
  try {
    const client = await clientFor(deps, node)
    return await client.listEggs()
  } catch (error) {
    if (!(error instanceof PanelError)) throw error
    throw badGateway(`The eggs could not be read. ${messageOf(error)}`, 'panel_failed')
  }
}
