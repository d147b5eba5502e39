import type { Area } from '#platform/area.ts'
import { exportRoutes } from './export.ts'
import { chainEntries, eraseOldDifferences, pruneOldEntries, reduceOldAddresses } from './jobs.ts'
import { entriesAbout, eraseAddresses, eraseChangesOf } from './queries.ts'
import { recorder } from './recorder.ts'
import { auditRoutes } from './routes.ts'
import { auditSettings } from './settings.ts'
import { objectTimeline, timeline } from './timeline.ts'

export { eraseChangesOf } from './queries.ts'

export const audit: Area = {
  name: 'audit',
  routes: [auditRoutes, exportRoutes],
  jobs: [chainEntries, reduceOldAddresses, eraseOldDifferences, pruneOldEntries],
  permissions: [
    { key: 'audit:read', description: 'See the audit log with what was changed, and verify it' },
  ],
  settings: [auditSettings],
  personalData: (db, user) => ({ auditLog: entriesAbout(db, user) }),
  purposes: ['audit.log'],
  timeline,
  objectTimeline,
  timelineNeeds: ['audit:read'],
  async erase(tx, person, now) {
    const { tenantId, userId } = person
    await eraseAddresses(tx, person, now)
    await eraseChangesOf(tx, { tenantId, objectIds: [userId] }, now)
  },
  recorder,
}
