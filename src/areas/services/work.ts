import { Type } from 'typebox'
import { Id } from '#lib/schema.ts'
import { work } from '#platform/jobs.ts'

const Service = Type.Object({ tenantId: Id, serviceId: Id })
const Node = Type.Object({ tenantId: Id, nodeId: Id })
const Period = Type.Object({ tenantId: Id, periodId: Id })

/** Tells the host's own system about a step of a service. */
export const sendDelivery = work(
  'services.send-delivery',
  Type.Object({ tenantId: Id, deliveryId: Id }),
)

/** Deletes the panel account of a person who was erased. */
export const forgetPanelAccount = work(
  'services.forget-panel-account',
  Type.Object({ tenantId: Id, nodeId: Id, userId: Id }),
)

/** Compares the servers of a panel with the services. */
export const compareNode = work('services.compare-node', Node)

/** Repairs the differences that staff chose. */
export const repairDrift = work('services.repair-drift', Node)

/** Gives a server on the panel its service's name. */
export const renameServer = work('services.rename-server', Service)

/** Gives the members of a service their access on the panel, and takes it from those who left. */
export const syncMembers = work('services.sync-members', Service)

/** Suspends a server again that was resumed on the panel. */
export const enforceSuspension = work('services.enforce-suspension', Service)

/** Creates the server of a service. */
export const provision = work('services.provision', Service)

/** Asks the panel whether a reinstallation is over. */
export const watchReinstallation = work(
  'services.watch-reinstallation',
  Type.Object({ tenantId: Id, serviceId: Id, id: Id }),
)

/** Takes the next step of dunning for a period that is not paid. */
export const dunOne = work('services.dun', Period)

/** Charges the saved payment method for a renewal. */
export const chargeRenewal = work('services.charge-renewal', Period)

/** Tells a panel how a server starts. */
export const applyStartup = work('services.apply-startup', Service)

/** Suspends, resumes or deletes a server, to bring it to the state its service should have. */
export const changeState = work('services.change-state', Service)

/** Changes a server to the plan that was paid for. */
export const applyUpgrade = work(
  'services.apply-upgrade',
  Type.Object({ tenantId: Id, upgradeId: Id }),
)

/** Gives a server back the size it had before a change of plan that failed. */
export const restoreGivenUp = work(
  'services.restore-given-up',
  Type.Object({ tenantId: Id, upgradeId: Id, attempt: Type.Integer() }),
)
