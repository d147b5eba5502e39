import type { Area } from '#platform/area.ts'
import { exportRoutes } from './export.ts'
import { chainEntries, pruneOldEntries, reduceOldAddresses } from './jobs.ts'
import { entriesAbout, eraseAddresses } from './queries.ts'
import { recorder } from './recorder.ts'
import { auditRoutes } from './routes.ts'
import { auditSettings } from './settings.ts'
import { timeline } from './timeline.ts'

export const audit: Area = {
  name: 'audit',
  routes: [auditRoutes, exportRoutes],
  jobs: [chainEntries, reduceOldAddresses, pruneOldEntries],
  permissions: [{ key: 'audit:read', description: 'See the audit log, and verify it' }],
  settings: [auditSettings],
  personalData: (db, user) => ({ auditLog: entriesAbout(db, user) }),
  purposes: ['audit.log'],
  timeline,
  timelineNeeds: ['audit:read'],
  erase: eraseAddresses,
  recorder,
}
