import type { Area } from '#platform/area.ts'
import { connectionRoutes } from './connection/routes.ts'
import { resumeDeliveries, sendDeliveryJob, watchDeliveries } from './deliveries/jobs.ts'
import { deliveryRoutes } from './deliveries/routes.ts'
import { compareNodeJob, repairDriftJob, resumeComparisons } from './drift/jobs.ts'
import { driftRoutes } from './drift/routes.ts'
import { assertSettled, erase } from './erasure/actions.ts'
import { forgetPanelAccountJob } from './erasure/jobs.ts'
import { listPanelAccounts } from './erasure/queries.ts'
import { servicesOf } from './export.ts'
import { faults } from './faults.ts'
import { freeDaysRoutes } from './free-days/routes.ts'
import { isInvited } from './invitations/guests.ts'
import { mailInvitation } from './invitations/jobs.ts'
import { answerRoutes, invitationRoutes } from './invitations/routes.ts'
import { detachServices, startDelayed } from './jobs.ts'
import { adminLeavingRoutes, leavingRoutes } from './leaving/routes.ts'
import { adminLifeRoutes } from './lifecycle/admin-routes.ts'
import { bulkServiceRoutes } from './lifecycle/bulk.ts'
import { renameServerJob } from './lifecycle/jobs.ts'
import { lifeRoutes } from './lifecycle/routes.ts'
import { adminLiveRoutes } from './live-status/admin-routes.ts'
import { liveRoutes } from './live-status/routes.ts'
import { memberCame, serverBack, serverCame, syncMembersJob } from './members/jobs.ts'
import { memberRoutes } from './members/routes.ts'
import { objectsAmong } from './named.ts'
import { listNotesOf } from './notes/queries.ts'
import { serviceNoteRoutes } from './notes/routes.ts'
import { enforceSuspensionJob, refundFailed } from './operators/jobs.ts'
import { operatorRoutes } from './operators/routes.ts'
import { panelRoutes } from './panels/routes.ts'
import { provisionJob, resumeProvisioning } from './provisioning/jobs.ts'
import { countOfProduct, countOnNodes, listCustomersOf, listSoldAmong } from './queries.ts'
import { resumeReinstalls, watchReinstallationJob } from './reinstalls/jobs.ts'
import {
  chargeRenewalJob,
  dunOneJob,
  findUnpaidPeriods,
  findWaitingCharges,
  paymentTakenBack,
  periodPaid,
  periodVoided,
  renewalRefused,
  renewServices,
  rollServices,
} from './renewals/jobs.ts'
import { requoteRenewal } from './renewals/requote.ts'
import { recheckBeforeRenewal } from './renewals/vat-numbers.ts'
import { serverActivityOf } from './reports/export.ts'
import { crashReported, installationReported } from './reports/jobs.ts'
import { placesOf } from './reports/queries.ts'
import { reportRoutes } from './reports/routes.ts'
import { sftpVerdict } from './reports/sftp.ts'
import { adminServiceRoutes, serviceRoutes } from './routes.ts'
import { serviceSettings } from './settings.ts'
import { applyStartupJob, resumeStartups } from './startup/jobs.ts'
import { startupRoutes } from './startup/routes.ts'
import { changeStateJob, deleteKeptServers, resumeTransitions } from './states/jobs.ts'
import { listDetailsOf } from './tasks/queries.ts'
import { handoverRoutes, taskRoutes } from './tasks/routes.ts'
import { sealedDetails } from './tasks/rules.ts'
import { objectTimeline, timeline } from './timeline.ts'
import { adminUpgradeRoutes } from './upgrades/admin-routes.ts'
import {
  applyUpgradeJob,
  restoreGivenUpJob,
  resumeUpgrades,
  upgradePaid,
  upgradeVoided,
} from './upgrades/jobs.ts'
import { adminOptionRoutes } from './upgrades/option-admin-routes.ts'
import { optionRoutes } from './upgrades/option-routes.ts'
import { requoteUpgrade } from './upgrades/requote.ts'
import { upgradeRoutes } from './upgrades/routes.ts'

export {
  createServices,
  endPendingServices,
  lockPendingServices,
  type NewPrice,
  type NewService,
  repriceServices,
  startServices,
} from './actions.ts'
export { blueprintOf } from './components/builds.ts'
export {
  besideText,
  type KeptComponent,
  valuesOfLines,
  withoutFees,
  withValues,
} from './components/rules.ts'
export { FAILURE_CODES as DELIVERY_FAILURE_CODES } from './deliveries/schema.ts'
export {
  deliveryFailed,
  serviceActivated,
  serviceEnded,
  serviceFailed,
  serviceReactivated,
  serviceRemade,
  serviceRenewed,
  serviceSuspended,
  serviceUpgraded,
  taskCreated,
} from './events.ts'
export { importServices, removeImportedServices } from './imported/actions.ts'
export {
  type ExpectedInvoice,
  expectedInvoices,
  NOT_BILLED,
  NOTICES,
  type PreviewTerms,
  previewRenewals,
  type RenewalPreview,
} from './imported/preview.ts'
export { convertPrices, taxesUntaxed } from './imported/prices.ts'
export { type ImportedService, sumImportedServices } from './imported/queries.ts'
export {
  countNotBegun,
  lockNotBegun,
  planRenewals,
  type RunningPeriods,
  settleImported,
} from './imported/renewals.ts'
export {
  lockImportedServices,
  restoreImportedServices,
  updateImportedServices,
} from './imported/updates.ts'
export { outcomesOfOrder } from './operators/failed-queries.ts'
export { countTroubled } from './operators/queries.ts'
export { TROUBLES, type Trouble } from './operators/schema.ts'
export { listPanelIdentities } from './provisioning/queries.ts'
export {
  countByStatus,
  countServices,
  countWaiting,
  findServiceOf,
  listNotPrepaid,
  STATUS_IN_SQL as SERVICE_STATUS_IN_SQL,
} from './queries.ts'
export {
  listEndedServices,
  listRecurringBefore,
  listRecurringChanges,
  type RecurringChange,
} from './recurring/queries.ts'
export { hourlyCharge, withdrawalEndsAt } from './renewals/charges.ts'
export { type ServiceFacts, statusOf as serviceStatusOf } from './rules.ts'
export { ServiceStatus } from './schema.ts'
export { countOverdueTasks } from './tasks/queries.ts'
export { TASK_ACTIONS } from './tasks/schema.ts'

export const services: Area = {
  name: 'services',
  objectsAmong,
  routes: [
    ...[serviceRoutes, lifeRoutes, adminServiceRoutes, adminLifeRoutes],
    ...[bulkServiceRoutes, freeDaysRoutes, serviceNoteRoutes],
    ...[leavingRoutes, adminLeavingRoutes],
    ...[operatorRoutes, driftRoutes, panelRoutes],
    ...[taskRoutes, handoverRoutes, deliveryRoutes],
    ...[adminUpgradeRoutes, adminLiveRoutes],
    ...[optionRoutes, adminOptionRoutes],
    ...[upgradeRoutes, liveRoutes, memberRoutes, invitationRoutes, answerRoutes],
    ...[reportRoutes, startupRoutes, connectionRoutes],
  ],
  jobs: [
    ...[
      provisionJob,
      resumeProvisioning,
      startDelayed,
      detachServices,
      renameServerJob,
      enforceSuspensionJob,
      refundFailed,
    ],
    ...[sendDeliveryJob, resumeDeliveries, watchDeliveries],
    ...[watchReinstallationJob, resumeReinstalls],
    ...[compareNodeJob, resumeComparisons, repairDriftJob],
    ...[changeStateJob, resumeTransitions, deleteKeptServers],
    ...[syncMembersJob, memberCame, serverCame, serverBack],
    ...[renewServices, rollServices, findUnpaidPeriods, dunOneJob],
    ...[chargeRenewalJob, findWaitingCharges],
    ...[periodPaid, periodVoided, renewalRefused, paymentTakenBack],
    ...[recheckBeforeRenewal, forgetPanelAccountJob],
    ...[
      applyUpgradeJob,
      restoreGivenUpJob,
      resumeUpgrades,
      upgradePaid,
      upgradeVoided,
      mailInvitation,
    ],
    ...[installationReported, crashReported, applyStartupJob, resumeStartups],
  ],
  settings: [serviceSettings],
  sealed: [sealedDetails],
  invites: isInvited,
  requote: { upgrade: requoteUpgrade, renewal: requoteRenewal },
  permissions: [
    { key: 'services:read', description: 'See all services' },
    { key: 'services:write', description: 'Change, suspend, repair and end services' },
    { key: 'tasks:read', description: 'See the tasks of services that are delivered by hand' },
    {
      key: 'tasks:write',
      description: 'Claim and close the tasks of services that are delivered by hand',
    },
    { key: 'services:power', description: 'Start, stop and restart the servers of customers' },
  ],
  servicesOn: countOnNodes,
  servicesOf: countOfProduct,
  customersOf: listCustomersOf,
  soldAmong: listSoldAmong,
  servers: { placesOf, sftpVerdict },
  personalData: (db, user) => ({
    services: servicesOf(db, user),
    panelAccounts: () => listPanelAccounts(db, user),
    serverActivity: serverActivityOf(db, user),
    handedOver: () => listDetailsOf(db, user),
    notesOfServices: () => listNotesOf(db, user),
  }),
  purposes: ['services.services', 'services.activity'],
  timeline,
  objectTimeline,
  timelineNeeds: ['services:read'],
  faults,
  assertSettled,
  erase,
}
