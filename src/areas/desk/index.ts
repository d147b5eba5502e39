import type { Area } from '#platform/area.ts'
import { attentionRoutes } from './attention/routes.ts'
import { dashboardRoutes } from './dashboard/routes.ts'
import { customerRoutes } from './people/routes.ts'
import { searchRoutes } from './search/routes.ts'
import { timelineRoutes } from './timelines/routes.ts'
import { erase, personalData } from './views/personal-data.ts'
import { viewRoutes } from './views/routes.ts'

export const desk: Area = {
  name: 'desk',
  routes: [
    ...[searchRoutes, attentionRoutes, dashboardRoutes, customerRoutes, timelineRoutes],
    viewRoutes,
  ],
  personalData,
  purposes: ['desk.views'],
  erase,
}
