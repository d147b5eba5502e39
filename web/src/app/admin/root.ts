import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { boot } from '../../api/boot.ts'
import { loadAdminTexts } from '../../texts/admin.tsx'
import { root } from '../root.ts'

/** The root route of the administration. Its frame and its texts are loaded in parallel. */
export const adminRoot = createRoute({
  getParentRoute: () => root,
  path: '/admin',
  loader: () => loadAdminTexts(boot.locale),
  staleTime: Number.POSITIVE_INFINITY,
  component: lazyRouteComponent(() => import('./shell.tsx'), 'AdminShell'),
})

/** The search parameters of a list: filters, order, dates. The screen interprets them. */
type ListSearch = { readonly [name: string]: string | undefined }

export function listSearch(search: Record<string, unknown>): ListSearch {
  const entries = Object.entries(search)
    .filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value))
    .map(([name, value]) => [name, String(value).slice(0, 200)])
  return Object.fromEntries(entries)
}

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** Without one of these permissions, the screen shows a notice and the API is not called. */
    readonly permissions?: readonly string[]
  }
}
