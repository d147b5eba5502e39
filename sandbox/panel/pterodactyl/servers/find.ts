import { notFound } from '../../http/errors.ts'
import type { Params } from '../../http/router.ts'
import type { Panel } from '../../panel.ts'
import { same } from '../../state/data.ts'
import type { Server } from '../../state/rows.ts'

export function serverIn({ data }: Panel, params: Params): Server {
  const server = data.servers.find(Number(params.server))
  if (!server) throw notFound()
  return server
}

export function serverByExternalId({ data }: Panel, { external = '' }: Params): Server {
  const server = data.servers.first(({ externalId }) => same(externalId, external))
  if (!server) throw notFound()
  return server
}
