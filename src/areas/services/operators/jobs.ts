import { Type } from 'typebox'
import { Id } from '#lib/schema.ts'
import { clientOf } from '#panel'
import { job } from '#platform/jobs.ts'
import { findService } from '../queries.ts'
import { makeSuspension } from '../states/suspension.ts'

/** Makes the panel agree with what is recorded of a service: suspended, or not. */
export const enforceSuspension = job(
  'services.enforce-suspension',
  Type.Object({ tenantId: Id, serviceId: Id }),
  async (context, { tenantId, serviceId }) => {
    const { db } = context
    const service = await findService(db, { tenantId, id: serviceId })
    if (!service?.nodeId) return
    const client = await clientOf(context, db, { tenantId, nodeId: service.nodeId })
    await makeSuspension(context, client, service)
  },
  { retrySeconds: 10 },
)
