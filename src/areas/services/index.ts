import type { Area } from '#platform/area.ts'
import { assertSettled, erase } from './departures/actions.ts'
import { listPanelAccounts } from './departures/queries.ts'
import { servicesOf } from './export.ts'
import { mailInvitation } from './invitations/jobs.ts'
import { answerRoutes, invitationRoutes } from './invitations/routes.ts'
import { detachServices } from './jobs.ts'
import { provision, resumeProvisioning } from './provisioning/jobs.ts'
import { countOnNodes } from './queries.ts'
import { adminServiceRoutes, serviceRoutes } from './routes.ts'
import { timeline } from './timeline.ts'
import { applyUpgrade, resumeUpgrades, upgradePaid, upgradeVoided } from './upgrades/jobs.ts'
import { upgradeRoutes } from './upgrades/routes.ts'

export { createServices, endPendingServices, type NewService, startServices } from './actions.ts'
export { serviceActivated, serviceEnded, serviceFailed } from './events.ts'
export { countWaiting } from './queries.ts'

export const services: Area = {
  name: 'services',
  routes: [serviceRoutes, adminServiceRoutes, upgradeRoutes, invitationRoutes, answerRoutes],
  jobs: [
    ...[provision, resumeProvisioning, detachServices],
    ...[applyUpgrade, resumeUpgrades, upgradePaid, upgradeVoided, mailInvitation],
  ],
  permissions: [
    { key: 'services:read', description: 'See all services' },
    { key: 'services:write', description: 'Set up, suspend and end services' },
  ],
  servicesOn: countOnNodes,
  personalData: (db, user) => ({
    services: servicesOf(db, user),
    panelAccounts: () => listPanelAccounts(db, user),
  }),
  purposes: [
    {
      data: 'services, own and shared, with the values you chose; your accounts on game panels',
      purpose: 'To run what you ordered',
      legalBasis: 'Contract, art. 6(1)(b)',
      retention: 'Until the account is deleted; what the books refer to stays without your words',
      recipients: ['the game panels your servers are on'],
    },
  ],
  timeline,
  assertSettled,
  erase,
}
