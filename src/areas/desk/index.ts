import type { Area } from '#platform/area.ts'
import { attentionRoutes } from './attention/routes.ts'
import { dashboardRoutes } from './dashboard/routes.ts'
import { customerRoutes } from './people/routes.ts'
import { erase, personalData } from './personal-data.ts'
import { forgetPresence } from './presence/jobs.ts'
import { presenceRoutes } from './presence/routes.ts'
import { searchRoutes } from './search/routes.ts'
import { timelineRoutes } from './timelines/routes.ts'
import { viewRoutes } from './views/routes.ts'

export const desk: Area = {
  name: 'desk',
  routes: [
    ...[searchRoutes, attentionRoutes, dashboardRoutes, customerRoutes, timelineRoutes],
    ...[viewRoutes, presenceRoutes],
  ],
  jobs: [forgetPresence],
  personalData,
  purposes: ['desk.views', 'desk.presence'],
  erase,
}
