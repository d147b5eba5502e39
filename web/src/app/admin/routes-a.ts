import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { adminRoot } from './root.ts'

const parent = { getParentRoute: () => adminRoot } as const

const overview = createRoute({
  ...parent,
  path: '/',
  component: lazyRouteComponent(() => import('../../areas/home/admin/overview.tsx'), 'Overview'),
})
const notifications = createRoute({
  ...parent,
  path: '/notifications',
  component: lazyRouteComponent(
    () => import('../../areas/notifications/all.tsx'),
    'AllNotifications',
  ),
})

/** Overview, people, services and money. */
export const routesA = [overview, notifications] as const
