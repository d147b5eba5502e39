import type { Area } from '#platform/area.ts'
import { incidentRoutes } from './incidents/routes.ts'
import { endPlannedMaintenance, notifyAffectedJob } from './jobs.ts'
import { erase, personalData } from './personal-data.ts'
import { statusRoutes } from './status/routes.ts'
import { incidentUpdateRoutes } from './updates/routes.ts'

export { incidentOpened, incidentResolved, incidentUpdated } from './events.ts'
export { statusOf as incidentStatusOf } from './incidents/rules.ts'
export { IncidentImpact, IncidentKind, IncidentStatus } from './incidents/schema.ts'
export { hasStatus } from './status/queries.ts'

export const incidents: Area = {
  name: 'incidents',
  routes: [statusRoutes, incidentRoutes, incidentUpdateRoutes],
  jobs: [notifyAffectedJob, endPlannedMaintenance],
  permissions: [
    {
      key: 'incidents:read',
      description: 'See incidents and maintenance, also drafts, and whom they affect',
    },
    {
      key: 'incidents:write',
      description: 'Publish incidents and maintenance, and notify the customers affected',
    },
  ],
  personalData,
  purposes: ['incidents.notices'],
  erase,
}
