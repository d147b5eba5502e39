import type { Area } from '#platform/area.ts'
import { searchRoutes } from './search/routes.ts'

export const desk: Area = {
  name: 'desk',
  routes: [searchRoutes],
}
