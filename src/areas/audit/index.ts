import type { Area, UserKey } from '#platform/area.ts'
import type { Db } from '#platform/database/index.ts'
import { chainEntries, reduceOldAddresses } from './jobs.ts'
import { listAboutPerson } from './queries.ts'
import { recorder } from './recorder.ts'
import { auditRoutes } from './routes.ts'

const EXPORTED = 10_000

async function personalData(db: Db, user: UserKey) {
  return { auditLog: await listAboutPerson(db, user, EXPORTED) }
}

export const audit: Area = {
  name: 'audit',
  routes: [auditRoutes],
  jobs: [chainEntries, reduceOldAddresses],
  permissions: [{ key: 'audit:read', description: 'See who did what, and check the log' }],
  personalData,
  recorder,
}
