import type { FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import { notFound } from '#lib/problem.ts'
import { Deleted, IdParams, Page, PageQuery } from '#lib/schema.ts'
import type { Db } from '#platform/database/index.ts'
import type { Deps } from '#platform/deps.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import type { Tag } from '#platform/http/openapi.ts'
import { changeNode, createNode, deleteNode } from './actions.ts'
import { testAndRecord } from './connections.ts'
import { notifyDependents } from './dependents.ts'
import { findNode, listNodes, type NodeRow } from './queries.ts'
import { panelUrlOf } from './rules.ts'
import { NewNode, Node, NodeChange, NodeTest } from './schema.ts'

const tags: Tag[] = ['Admin - Operations']
const url = '/v1/admin/nodes'
const reading = { access: 'admin', permission: 'nodes:read' } as const
const writing = { access: 'admin', permission: 'nodes:write' } as const

/** Routes for administrators to manage panel connections. */
export const nodeRoutes: Routes = (app, deps) => {
  const { outbound, secrets } = deps

  app.route({
    method: 'GET',
    url,
    config: reading,
    schema: {
      tags,
      summary: 'List panel connections, newest first',
      querystring: PageQuery,
      response: { 200: Page(Node) },
    },
    async handler({ query, tenantId, db }) {
      const page = await listNodes(db, tenantId, query)
      return { ...page, data: await viewsOf(deps, db, page.data) }
    },
  })

  app.route({
    method: 'POST',
    url,
    config: writing,
    schema: {
      tags,
      summary: 'Add a panel connection; its keys are never shown again',
      description:
        'The panel is not called yet: test the connection, then synchronise its eggs. 422 `address_not_allowed` for a private address that the operator has not opened with `MOORAGE_PRIVATE_HOSTS`.',
      body: NewNode,
      response: { 201: Node, ...problems(422) },
    },
    async handler({ body, tenantId, now, transact }, reply) {
      const checked = { ...body, url: panelUrlOf(body.url) }
      await outbound.for({ tenantId, purpose: 'panel' }).assertAllowedUrl(checked.url)
      const node = await transact((tx) => createNode(tx, { tenantId, secrets }, checked, now))
      reply.code(201)
      return viewOf(node, 0)
    },
  })

  app.route({
    method: 'GET',
    url: `${url}/:id`,
    config: reading,
    schema: {
      tags,
      summary: 'Get a panel connection',
      params: IdParams,
      response: { 200: Node, ...problems(404) },
    },
    async handler(request) {
      return answerOf(deps, request.db, await existingNode(request))
    },
  })

  app.route({
    method: 'PATCH',
    url: `${url}/:id`,
    config: { ...writing, exists: nodeIn },
    schema: {
      tags,
      summary: 'Change a panel connection; another address needs its keys',
      description:
        'What was found out about the panel is forgotten with another address, type or key: test it again. 422 `api_key_required` for another address without keys, `address_not_allowed`.',
      params: IdParams,
      body: NodeChange,
      response: { 200: Node, ...problems(404, 422) },
    },
    async handler(request) {
      const { body, params, tenantId, db, transact } = request
      await existingNode(request)
      const change = body.url === undefined ? body : { ...body, url: panelUrlOf(body.url) }
      if (change.url !== undefined) {
        await outbound.for({ tenantId, purpose: 'panel' }).assertAllowedUrl(change.url)
      }
      const key = { tenantId, id: params.id, secrets }
      return answerOf(deps, db, await transact((tx) => changeNode(tx, key, change)))
    },
  })

  app.route({
    method: 'DELETE',
    url: `${url}/:id`,
    config: writing,
    schema: {
      tags,
      summary: 'Delete a panel connection; the services on it keep their rows',
      description:
        'Its keys, daemon tokens and eggs are deleted; services on it become unmanaged, and their servers stay. Attach them to another connection with `POST /v1/admin/services/{id}/attach`.',
      params: IdParams,
      response: { 200: Deleted, ...problems(404) },
    },
    handler: ({ params, tenantId, now, transact }) =>
      transact(async (tx) => {
        const deleted = await deleteNode(tx, { tenantId, id: params.id }, now)
        await notifyDependents(deps, tx, tenantId, now)
        return deleted
      }),
  })

  app.route({
    method: 'POST',
    url: `${url}/:id/test`,
    config: writing,
    schema: {
      tags,
      summary: 'Test a panel connection: its key, its permissions, its locations',
      description:
        'Calls the panel and stores `status`. A panel that refuses is an answer with `ok: false`, not an error.',
      params: IdParams,
      response: { 200: NodeTest, ...problems(404) },
    },
    async handler(request) {
      const node = await existingNode(request)
      const found = await testAndRecord(deps, node)
      const { fault: _, message = null, rateLimit = null, ...shown } = found
      return { ...shown, message, rateLimit }
    },
  })
}

function nodeIn({ db, tenantId, params }: FastifyRequest): Promise<NodeRow | undefined> {
  return findNode(db, { tenantId, ...(params as Static<typeof IdParams>) })
}

/** The connection in the path. Throws 404. */
async function existingNode(request: Parameters<typeof nodeIn>[0]): Promise<NodeRow> {
  const node = await nodeIn(request)
  if (!node) throw notFound('Node')
  return node
}

async function answerOf(deps: Deps, db: Db, node: NodeRow): Promise<Node> {
  const [view = viewOf(node, 0)] = await viewsOf(deps, db, [node])
  return view
}

/** Connections as they are shown, with what uses them. */
async function viewsOf({ areas }: Deps, db: Db, nodes: readonly NodeRow[]): Promise<Node[]> {
  const servicesOn = areas.find((area) => area.servicesOn)?.servicesOn
  const [first] = nodes
  const ids = nodes.map(({ id }) => id)
  const counts = first ? await servicesOn?.(db, first.tenantId, ids) : undefined
  return nodes.map((node) => viewOf(node, counts?.get(node.id) ?? 0))
}

function viewOf(node: NodeRow, serviceCount: number): Node {
  const { id, name, url, type, detectedType, signOnUrl, status, testedAt, createdAt } = node
  const keys = { apiKey: node.maskedApiKey ?? '', clientApiKey: node.maskedClientApiKey }
  return {
    ...{ id, name, url, type, detectedType, signOnUrl },
    ...keys,
    ...{ status, testedAt, serviceCount, createdAt },
  }
}
