import type { PanelClient, PanelServer } from '../contract.ts'
import { orAbsent, PanelError } from '../panel-error.ts'
import { attributesOf, type Fields, relatedOf } from './envelope.ts'
import {
  buildBody,
  creationBody,
  pterodactylForm,
  type ServerForm,
  serverIn,
  serverOf,
} from './server-form.ts'
import { CREATE_TIMEOUT_MS, type Transport, WRITE_TIMEOUT_MS } from './transport.ts'

export type ServerCalls = Pick<
  PanelClient,
  | 'findServerByExternalId'
  | 'listServers'
  | 'listServerPage'
  | 'getServer'
  | 'createServer'
  | 'updateDetails'
  | 'updateBuild'
  | 'updateStartup'
  | 'suspend'
  | 'unsuspend'
  | 'reinstall'
  | 'countDatabases'
  | 'deleteServer'
>

const WITH_ALLOCATIONS = { include: 'allocations' }

export function serverCalls(
  { call, order, listAll, listPage }: Transport,
  form: ServerForm = pterodactylForm,
): ServerCalls {
  const read = (path: string) => call({ method: 'GET', path, query: WITH_ALLOCATIONS }, serverIn)

  const getServer = (id: number) => read(`/servers/${id}`)

  const update = (id: number, part: string, body: Fields) =>
    call(
      { method: 'PATCH', path: `/servers/${id}/${part}`, query: WITH_ALLOCATIONS, body },
      serverIn,
    )

  const act = (id: number, action: string) =>
    order({ method: 'POST', path: `/servers/${id}/${action}`, timeoutMs: WRITE_TIMEOUT_MS })

  return {
    findServerByExternalId: (externalId) =>
      orAbsent(read(`/servers/external/${encodeURIComponent(externalId)}`)),

    listServers: () =>
      listAll({ path: '/servers', query: { sort: 'id' }, background: true }, serverOf),

    async listServerPage(page) {
      const list = { path: '/servers', query: { sort: 'id' }, background: true }
      const { rows: servers, pages } = await listPage(list, page, serverOf)
      return { servers, isLast: page >= pages }
    },

    getServer,

    createServer(draft) {
      const body = creationBody(draft, form)
      const timeoutMs = CREATE_TIMEOUT_MS
      const query = WITH_ALLOCATIONS
      return call({ method: 'POST', path: '/servers', query, body, timeoutMs }, serverIn)
    },

    async updateDetails(id, { externalId, ...change }) {
      const { name, description, userId } = { ...(await getServer(id)), ...change }
      return update(id, 'details', { name, user: userId, external_id: externalId, description })
    },

    async updateBuild(id, change) {
      const updated = await update(id, 'build', buildBody(await getServer(id), change, form))
      assertAdded(updated, change.addAllocationIds ?? [])
      return updated
    },

    async updateStartup(id, { skipScripts = false, ...change }) {
      const server = await getServer(id)
      const { startup, image, eggId } = { ...server, ...change }
      const environment = { ...server.environment, ...change.environment }
      return update(id, 'startup', {
        startup,
        environment,
        egg: eggId,
        image,
        skip_scripts: skipScripts,
      })
    },

    suspend: (id) => act(id, 'suspend'),
    unsuspend: (id) => act(id, 'unsuspend'),
    reinstall: (id) => act(id, 'reinstall'),

    countDatabases(id) {
      // Requested in this way, a key without that permission is not refused but gets no databases.
      const query = { include: 'databases' }
      return call({ method: 'GET', path: `/servers/${id}`, query }, (body) => {
        return relatedOf(attributesOf(body), 'databases')?.length ?? null
      })
    },

    async deleteServer(id, { force = false } = {}) {
      const path = `/servers/${id}${force ? '/force' : ''}`
      await orAbsent(order({ method: 'DELETE', path, timeoutMs: CREATE_TIMEOUT_MS }))
    },
  }
}

/** Throws if allocations are missing: the panel silently skips those that are taken. */
function assertAdded({ allocations }: PanelServer, wanted: number[]): void {
  const has = new Set(allocations.map(({ id }) => id))
  const missing = wanted.filter((id) => !has.has(id))
  if (missing.length === 0) return
  const detail = `The panel did not add the allocations ${missing.join(', ')}; the rest was changed.`
  throw new PanelError('no_allocation', { code: 'allocations_skipped', detail })
}
