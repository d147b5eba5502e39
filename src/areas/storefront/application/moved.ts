import type { Routes } from '#platform/http/index.ts'

/** Addresses that were mailed before the application had its own, and their current addresses. */
export const MOVED: readonly (readonly [old: string, now: string])[] = [
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

/**
 * Addresses that forms are sent to, and the page with the form. The response to a form is a page
 * at such an address, which links to itself in the other language.
 */
const FORMS: readonly (readonly [sentTo: string, page: string])[] = [
  ['/r', '/'],
  ['/cart/items', '/cart'],
  ['/cart/items/quantity', '/cart'],
  ['/cart/items/remove', '/cart'],
  ['/cart/coupons', '/cart'],
  ['/cart/coupons/remove', '/cart'],
  ['/checkout/pay', '/checkout'],
  ['/sign-in/code', '/sign-in'],
  ['/sign-in/passkey', '/sign-in'],
  ['/sign-out', '/'],
  ['/reset', '/forgot'],
  ['/verify', '/'],
  ['/setup/link', '/setup'],
]

/** Redirects old addresses, and those that forms are sent to, to the current pages. The query is preserved. */
export const movedPages: Routes = (app) => {
  for (const [url, now] of [...MOVED, ...FORMS]) {
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
