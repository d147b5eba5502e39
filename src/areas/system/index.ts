import type { Area } from '#platform/area.ts'
import { documentRoutes } from './documents.ts'
import { operationRoutes } from './operations.ts'
import { readinessRoutes } from './readiness/routes.ts'
import { systemRoutes } from './routes.ts'

export const system: Area = {
  name: 'system',
  routes: [systemRoutes, documentRoutes, operationRoutes, readinessRoutes],
  permissions: [
    { key: 'system:read', description: 'See failed jobs and kept mails' },
    { key: 'system:write', description: 'Retry and discard failed jobs' },
  ],
}
