import { type Static, Type } from 'typebox'
import { notFound } from '#lib/problem.ts'
import { Body, Deleted, IdParams, Resource } from '#lib/schema.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import type { Tag } from '#platform/http/openapi.ts'
import { sendFile } from '#platform/http/request.ts'
import { namesTag } from '#platform/http/tags.ts'
import { findTenant, type TenantRow } from '../queries.ts'
import { LOGO_PATH, LogoHash } from '../schema.ts'
import { assertPlatform } from '../tenants/access.ts'
import { removeLogo, setLogo } from './actions.ts'
import { findLogo } from './queries.ts'

const MAX_BYTES = 256 * 1024
/** A little shorter than a page is looked at again; and for good where the address names the bytes. */
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

/** The logo as everybody sees it. */
export const logoRoutes: Routes = (app) => {
  app.route({
    method: 'GET',
    url: LOGO_PATH,
    config: { access: 'public', whileSuspended: true },
    schema: {
      tags: ['System'],
      summary: 'The logo of this shop',
      description:
        'With `sha256` the one of that hash, which never changes and may be cached for ever.',
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
const write = { access: 'admin', permission: 'tenants:write' } as const
export const ShownLogo = Resource('Logo', { sha256: LogoHash, url: Type.String() })

/** An uploaded logo as an answer names it. */
export function shownLogo({ logoSha256 }: Pick<TenantRow, 'logoSha256'>) {
  const sha256 = logoSha256?.toString('hex') ?? ''
  return { sha256, url: `${LOGO_PATH}?sha256=${sha256}` }
}

/** What those who run the platform do with logos. */
export const logoAdminRoutes: Routes = (app, { database }) => {
  app.addHook('preValidation', assertPlatform)

  app.route({
    method: 'PUT',
    url: '/v1/admin/tenants/:id/logo',
    config: {
      ...write,
      async exists(request) {
        await assertPlatform(request)
        return findTenant(database.everywhere, (request.params as Static<typeof IdParams>).id)
      },
    },
    schema: {
      tags,
      summary: 'Set the logo of a tenant, for documents, mails and sign-in pages',
      description: 'Replaces `brand.logoUrl`. Existing documents keep their logo.',
      params: IdParams,
      body: NewLogo,
      response: { 200: ShownLogo, ...problems(422) },
    },
    async handler({ params: { id }, body, now, transact }) {
      const content = Buffer.from(body.image, 'base64')
      return shownLogo(await transact((tx) => setLogo(tx, { id, content }, now)))
    },
  })

  app.route({
    method: 'DELETE',
    url: '/v1/admin/tenants/:id/logo',
    config: write,
    schema: {
      tags,
      summary: 'Remove the logo of a tenant; existing documents keep it',
      params: IdParams,
      response: { 200: Deleted },
    },
    async handler({ params: { id }, transact }) {
      await transact((tx) => removeLogo(tx, id))
      return { id, deleted: true }
    },
  })
}
