import type { Routes } from '#platform/http/index.ts'

/** Addresses that were mailed before the application had its own, and where they lead now. */
const MOVED: readonly (readonly [old: string, now: string])[] = [
  ['/services/:id', '/servers/:id'],
  ['/billing/invoices', '/invoices'],
  ['/billing/invoices/:id', '/invoices/:id'],
  ['/billing/credits', '/payment'],
  ['/account/billing', '/account'],
  ['/account/connections', '/account/security'],
  ['/affiliation', '/invite-friends'],
  ['/invitations/:id', '/i/:id'],
  ['/admin/services/:id', '/admin/servers/:id'],
  ['/admin/users/:id', '/admin/people/:id'],
  ['/admin/webhook-endpoints/:id', '/admin/integrations/:id'],
]

/** Leads from old addresses to the present ones; what stands in the query goes along. */
export const movedPages: Routes = (app) => {
  for (const [url, now] of MOVED) {
    app.route({
      ...{ method: 'GET', url },
      config: { access: 'public', hidden: true, whileSuspended: true },
      async handler(request, reply) {
        const { id = '' } = request.params as Record<string, string>
        const [, query] = request.url.split('?')
        const path = now.replace(':id', encodeURIComponent(id))
        return reply.redirect(query ? `${path}?${query}` : path, 303)
      },
    })
  }
}
