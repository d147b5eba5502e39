import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { ROOT } from '#platform/root.ts'

/** A screen of the application, with the module in `web/` that draws it. */
export type ScreenRoute = { readonly path: string; readonly module: string }

/** A screen of the administration; one of the permissions is enough, none are needed if the list is empty. */
export type DeskRoute = ScreenRoute & {
  readonly permissions: readonly string[]
  /** The areas whose texts it shows. */
  readonly words: readonly string[]
}

const APPLICATION = 'web/src/app'

/** Each route of a file of the router, as it is written. */
function routesIn(file: string): readonly string[] {
  const source = fs.readFileSync(path.join(ROOT, APPLICATION, file), 'utf8')
  const routes = source.split('= createRoute(').slice(1)
  return routes.filter((it) => it.includes(' path: '))
}

/** The path and the module of a route of a file of the router. */
function screenOf(route: string, file: string): ScreenRoute {
  const [, own] = /path: '([^']+)'/.exec(route) ?? []
  const [, module] = /import\('([^']+)'\)/.exec(route) ?? []
  assert.ok(own && module, route)
  return { path: own, module: path.join('src/app', path.dirname(file), module) }
}

function namesIn(list: string): readonly string[] {
  return [...list.matchAll(/'([^']+)'/g)].map(([, name = '']) => name)
}

/** The screens of the customer area, as its router has them. */
export function customerRoutes(): readonly ScreenRoute[] {
  return routesIn('router.tsx').map((route) => screenOf(route, 'router.tsx'))
}

/** The screens of the administration, as its router has them. */
export function deskRoutes(): readonly DeskRoute[] {
  return routesIn('admin/routes.ts').map((route) => {
    const screen = screenOf(route, 'admin/routes.ts')
    const [, needed = ''] = /needs\(([^)]*)\)/.exec(route) ?? []
    const [, areas = ''] = /words\(([^)]*)\)/.exec(route) ?? []
    return {
      ...screen,
      path: screen.path === '/' ? '/admin' : `/admin${screen.path}`,
      ...{ permissions: namesIn(needed), words: namesIn(areas) },
    }
  })
}

/** The path of the API whose object a screen shows, for each screen with an id in its address. */
const OBJECTS: Readonly<Record<string, string>> = {
  '/admin/people/$id': '/v1/admin/users/:id',
  '/admin/servers/$id': '/v1/admin/services/:id',
  '/admin/tasks/$id': '/v1/admin/tasks/:id',
  '/admin/tickets/$id': '/v1/admin/tickets/:id',
  '/admin/help/$id': '/v1/admin/articles/:id',
  '/admin/incidents/$id': '/v1/admin/incidents/:id',
  '/admin/orders/$id': '/v1/admin/orders/:id',
  '/admin/invoices/$id': '/v1/admin/invoices/:id',
  '/admin/payments/$id': '/v1/admin/payments/:id',
  '/admin/payments/bank/$id': '/v1/admin/bank-entries/:id',
  '/admin/products/$id': '/v1/admin/products/:id',
  '/admin/vouchers/$id': '/v1/admin/vouchers/batches/:id',
  '/admin/panels/$id': '/v1/admin/nodes/:id',
  '/admin/eggs/$id': '/v1/admin/eggs/:id',
  '/admin/imports/$id': '/v1/admin/imports/:id',
  '/admin/affiliates/$id': '/v1/admin/affiliates/:id',
  '/admin/integrations/$id': '/v1/admin/webhook-endpoints/:id',
  '/admin/mails/texts/$kind': '/v1/admin/mail-templates/:kind',
}

/** Whether the address of a screen is known: it has no id, or the object for its id is named. */
export function hasAddress({ path: route }: DeskRoute): boolean {
  return !route.includes('$') || OBJECTS[route] !== undefined
}

/** The address of a screen with one of these objects, by their paths of the API. */
export function addressOf(
  { path: route }: DeskRoute,
  objects: ReadonlyMap<string, string>,
): string {
  const of = OBJECTS[route]
  if (of === undefined) return route
  const id = objects.get(of)
  assert.ok(id, `There is no object ${of}`)
  return route.replace(/\$\w+/, id)
}

/** The screen that an address leads to; fixed parts go before ids. */
export function routeOf(routes: readonly DeskRoute[], address: string): DeskRoute | undefined {
  const isThere = ({ path: route }: DeskRoute) =>
    new RegExp(`^${route.replaceAll(/\$\w+/g, '[^/]+')}$`).test(address)
  return routes.find((it) => it.path === address) ?? routes.find(isThere)
}

/** Whether a person with these permissions may open a screen. */
export function mayOpen({ permissions }: DeskRoute, held: ReadonlySet<string>): boolean {
  return permissions.length === 0 || permissions.some((it) => held.has(it))
}
