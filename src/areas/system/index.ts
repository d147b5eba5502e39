import type { Area } from '#platform/area.ts'
import { documentationRoutes } from './documentation.ts'
import { documentRoutes } from './documents.ts'
import { forgetAnswers } from './jobs.ts'
import { operationRoutes } from './operations.ts'
import { policyViolationRoutes } from './policy-violations.ts'
import { readinessRoutes } from './readiness/routes.ts'
import { referenceRoutes } from './reference/routes.ts'
import { systemRoutes } from './routes.ts'
import { summaryRoutes } from './summary/routes.ts'

export const system: Area = {
  name: 'system',
  routes: [
    ...[systemRoutes, documentRoutes, referenceRoutes, documentationRoutes(), operationRoutes],
    ...[readinessRoutes, summaryRoutes, policyViolationRoutes],
  ],
  jobs: [forgetAnswers],
  permissions: [
    { key: 'system:read', description: 'See failed jobs, mails and the mail server' },
    {
      key: 'system:write',
      description: 'Retry and discard failed jobs, resend mails, and set the mail server',
    },
  ],
}
