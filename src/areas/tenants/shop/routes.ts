import { type Static, Type } from 'typebox'
import { notFound } from '#lib/problem.ts'
import { Deleted, Resource } from '#lib/schema.ts'
import type { Db } from '#platform/database/index.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import type { Tag } from '#platform/http/openapi.ts'
import { hostsOf } from '../hosts.ts'
import { removeLogo, setLogo } from '../logos/actions.ts'
import { PICTURE_KINDS, PICTURES } from '../logos/pictures.ts'
import { LOGO_FIELDS, logoOf, NewLogo, ShownLogo, shownLogo } from '../logos/routes.ts'
import { findTenant } from '../queries.ts'
import { missingOf } from '../seller/ready.ts'
import { changeShop } from '../tenants/actions.ts'
import { listDomains, lockTenant } from '../tenants/queries.ts'
import { tenantView, urlUnder } from '../tenants/rules.ts'
import { ShopChange, type Tenant, TenantFields } from '../tenants/schema.ts'

const tags: Tag[] = ['Admin - Settings & Tenants']
const read = { access: 'admin', permission: 'shop:read' } as const
const write = { access: 'admin', permission: 'shop:write' } as const

const { isDefault: _, createdAt: __, closedAt: ___, ...fields } = TenantFields
const Shop = Resource('Shop', {
  ...fields,
  missing: Type.Array(Type.Object({ path: Type.String(), message: Type.String() }), {
    description: 'What the seller still lacks; empty when the shop can sell',
  }),
})
type Shop = Static<typeof Shop>

/** A tenant's shop as its own staff see and change it. */
export const shopRoutes: Routes = (app, { database, config }) => {
  app.route({
    method: 'GET',
    url: '/v1/admin/shop',
    config: read,
    schema: {
      tags,
      summary: 'Get the brand, seller, domains and status of this shop',
      response: { 200: Shop },
    },
    handler: async ({ db, tenantId }) => withMissing(db, await shopOf(db, tenantId)),
  })

  app.route({
    method: 'PATCH',
    url: '/v1/admin/shop',
    config: {
      ...write,
      async current(tx, { tenantId }) {
        await lockTenant(tx, tenantId)
        return withMissing(tx, await shopOf(tx, tenantId))
      },
    },
    schema: {
      tags,
      summary: 'Change the brand, seller and domains of this shop',
      description:
        'Of brand and seller only the named fields change. Own domains can be removed and reordered at ' +
        'once; a new one is proposed, and the platform decides. Nothing is sold until the seller is ' +
        'complete.',
      body: ShopChange,
      response: { 200: Shop, ...problems(409, 422) },
    },
    async handler({ body, tenantId, now, transact }) {
      const changed = await transact(async (tx) => {
        const shop = await changeShop(tx, config, { ...body, id: tenantId }, now)
        return withMissing(tx, shop)
      })
      hostsOf(database).forget()
      return changed
    },
  })

  for (const picture of PICTURE_KINDS) {
    const { called, use } = PICTURES[picture]
    const url = `/v1/admin/shop/${picture}`

    app.route({
      ...{ method: 'GET', url },
      config: read,
      schema: {
        tags,
        summary: `Get the address and the hash of ${called} of this shop`,
        response: { 200: ShownLogo, ...problems(404) },
      },
      handler: async ({ db, tenantId }) => logoOf(await findTenant(db, tenantId), picture),
    })

    app.route({
      ...{ method: 'PUT', url },
      config: { ...write, versioned: LOGO_FIELDS },
      schema: {
        tags,
        summary: `Upload ${called} of this shop`,
        description: use,
        body: NewLogo,
        response: { 200: ShownLogo, ...problems(422) },
      },
      async handler({ body, tenantId: id, now, transact }) {
        const content = Buffer.from(body.image, 'base64')
        const tenant = await transact((tx) => setLogo(tx, { id, picture, content }, now))
        return shownLogo(tenant, picture)
      },
    })

    app.route({
      ...{ method: 'DELETE', url },
      config: write,
      schema: {
        tags,
        summary: `Remove ${called} of this shop; what shows it already keeps it`,
        response: { 200: Deleted, ...problems(404) },
      },
      async handler({ tenantId: id, transact }) {
        await transact((tx) => removeLogo(tx, { id, picture }))
        return { id, deleted: true }
      },
    })
  }

  async function shopOf(db: Db, tenantId: string): Promise<Tenant> {
    const tenant = await findTenant(db, tenantId)
    if (!tenant) throw notFound('Tenant')
    const domains = (await listDomains(db, [tenantId])).get(tenantId) ?? []
    const host = tenant.isDefault ? undefined : domains[0]
    return tenantView(tenant, { domains, url: urlUnder(config.publicUrl, host) })
  }
}

async function withMissing(db: Db, shop: Tenant): Promise<Shop> {
  return { ...shop, missing: await missingOf(db, shop.id) }
}
