import { type Static, Type } from 'typebox'
import { notFound } from '#lib/problem.ts'
import { Body, Deleted, IdParams, Resource } from '#lib/schema.ts'
import { asTenant } from '#platform/database/index.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import type { Tag } from '#platform/http/openapi.ts'
import { sendFile } from '#platform/http/request.ts'
import { namesTag } from '#platform/http/tags.ts'
import { findTenant } from '../queries.ts'
import { LOGO_PATH, LogoHash } from '../schema.ts'
import { assertPlatform } from '../tenants/access.ts'
import { lockTenant } from '../tenants/queries.ts'
import { removeLogo, setLogo } from './actions.ts'
import { type BrandPicture, PICTURE_KINDS, PICTURES } from './pictures.ts'
import { findLogo, type ShownPictures } from './queries.ts'

const MAX_BYTES = 256 * 1024
/** Expires before a visitor usually opens a page again; never if the URL contains the hash of the bytes. */
const SHORT = 'public, max-age=300'
const FOR_GOOD = 'public, max-age=31536000, immutable'

export const NewLogo = Body({
  image: Type.String({
    ...{ minLength: 4, maxLength: Math.ceil(MAX_BYTES / 3) * 4 },
    ...{ pattern: '^[A-Za-z0-9+/]+={0,2}$', contentEncoding: 'base64' },
    description: 'A PNG or JPEG in base64: 256 kB and 2000 pixels a side at most, not transparent',
  }),
})

const image = { schema: { type: 'string', format: 'binary' } }

/** The public logo of a shop, and every picture of its brand by its hash. */
export const logoRoutes: Routes = (app) => {
  app.route({
    method: 'GET',
    url: LOGO_PATH,
    config: { access: 'public', whileSuspended: true },
    schema: {
      tags: ['System'],
      summary: 'The logo of this shop',
      description:
        'With `sha256` the picture of that hash, also one for dark surroundings or a favicon. It never ' +
        'changes and may be cached for ever.',
      querystring: Type.Object({ sha256: Type.Optional(LogoHash) }),
      response: {
        200: { description: 'The picture', content: { 'image/png': image, 'image/jpeg': image } },
        304: Type.Null({ description: 'It is the one that `If-None-Match` names.' }),
        ...problems(404),
      },
    },
    async handler({ db, tenantId, query, headers }, reply) {
      const named = query.sha256 === undefined ? null : Buffer.from(query.sha256, 'hex')
      const sha256 = named ?? (await findTenant(db, tenantId))?.logoSha256
      const logo = sha256 && (await findLogo(db, { tenantId, sha256 }))
      if (!logo) throw notFound('Logo')
      const etag = `"${logo.sha256.toString('hex')}"`
      reply.headers({ etag, 'cache-control': named ? FOR_GOOD : SHORT })
      if (namesTag(headers['if-none-match'], etag))
        return sendFile(reply.code(304), logo.mediaType, '')
      return sendFile(reply, logo.mediaType, logo.content)
    },
  })
}

const tags: Tag[] = ['Admin - Settings & Tenants']
const read = { access: 'admin', permission: 'tenants:read' } as const
const write = { access: 'admin', permission: 'tenants:write' } as const
export const ShownLogo = Resource('Logo', { sha256: LogoHash, url: Type.String() })

/** An uploaded picture of a brand as answers contain it. */
export function shownLogo(tenant: ShownPictures, picture: BrandPicture) {
  const sha256 = tenant[PICTURES[picture].column]?.toString('hex') ?? ''
  return { sha256, url: `${LOGO_PATH}?sha256=${sha256}` }
}

/** The fields that the version of a logo covers. */
export const LOGO_FIELDS = Object.keys(ShownLogo.properties)

/** A picture of a tenant's brand as answers contain it. Throws 404 without one. */
export function logoOf(tenant: ShownPictures | undefined, picture: BrandPicture) {
  const { column, name } = PICTURES[picture]
  if (!tenant?.[column]) throw notFound(name)
  return shownLogo(tenant, picture)
}

/** How the platform's staff manage the logos and the icon of a tenant. */
export const logoAdminRoutes: Routes = (app, { database }) => {
  app.addHook('preValidation', assertPlatform)

  for (const picture of PICTURE_KINDS) {
    const { called, use } = PICTURES[picture]
    const url = `/v1/admin/tenants/:id/${picture}`

    app.route({
      ...{ method: 'GET', url },
      config: read,
      schema: {
        tags,
        summary: `Get the address and the hash of ${called} of a tenant`,
        params: IdParams,
        response: { 200: ShownLogo },
      },
      handler: async ({ params: { id } }) =>
        logoOf(await findTenant(database.everywhere, id), picture),
    })

    app.route({
      ...{ method: 'PUT', url },
      config: {
        ...{ ...write, versioned: LOGO_FIELDS },
        current(tx, request) {
          const { id } = request.params as Static<typeof IdParams>
          return asTenant(tx, id, async () => logoOf(await lockTenant(tx, id), picture))
        },
        async exists(request) {
          await assertPlatform(request)
          return findTenant(database.everywhere, (request.params as Static<typeof IdParams>).id)
        },
      },
      schema: {
        tags,
        summary: `Set ${called} of a tenant`,
        description: use,
        params: IdParams,
        body: NewLogo,
        response: { 200: ShownLogo, ...problems(422) },
      },
      async handler({ params: { id }, body, now, transact }) {
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
        summary: `Remove ${called} of a tenant; what shows it already keeps it`,
        params: IdParams,
        response: { 200: Deleted },
      },
      async handler({ params: { id }, transact }) {
        await transact((tx) => removeLogo(tx, { id, picture }))
        return { id, deleted: true }
      },
    })
  }
}
