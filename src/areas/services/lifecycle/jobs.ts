import { clientOf } from '#panel'
import { job } from '#platform/jobs.ts'
import { findService } from '../queries.ts'
import { renameServer } from '../work.ts'

/** Gives a server on the panel the current name of its service. */
export const renameServerJob = job(
  renameServer,
  async (context, { tenantId, serviceId }) => {
    const { db } = context
    const service = await findService(db, { tenantId, id: serviceId })
    if (!service?.nodeId || service.endedAt) return
    const client = await clientOf(context, db, { tenantId, nodeId: service.nodeId })
    const server = await client.findServerByExternalId(service.externalId)
    if (!server || server.name === service.name) return
    const { externalId, name } = service
    await client.updateDetails(server.id, { externalId, name })
  },
  { retrySeconds: 10 },
)
