import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { boot } from '../../api/boot.ts'
import { loadAdminTexts } from '../../texts/admin.tsx'
import { root } from '../root.ts'

/** Around every screen of the administration. Its frame and its texts are loaded side by side. */
export const adminRoot = createRoute({
  getParentRoute: () => root,
  path: '/admin',
  loader: () => loadAdminTexts(boot.locale),
  staleTime: Number.POSITIVE_INFINITY,
  component: lazyRouteComponent(() => import('./shell.tsx'), 'AdminShell'),
})

/** What the address of a list says of it: filters, order, dates. The screen knows their meaning. */
export type ListSearch = { readonly [name: string]: string | undefined }

export function listSearch(search: Record<string, unknown>): ListSearch {
  const entries = Object.entries(search)
    .filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value))
    .map(([name, value]) => [name, String(value).slice(0, 200)])
  return Object.fromEntries(entries)
}

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** A person who holds none of them is shown who could give them, and nothing is asked of the API. */
    readonly permissions?: readonly string[]
  }
}
