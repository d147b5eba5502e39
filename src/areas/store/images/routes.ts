import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { notFound } from '#lib/problem.ts'
import { Deleted, IdParams } from '#lib/schema.ts'
import type { Db } from '#platform/database/index.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import type { Tag } from '#platform/http/openapi.ts'
import { sendFile } from '#platform/http/request.ts'
import { namesTag } from '#platform/http/tags.ts'
import { findCategory } from '../categories/queries.ts'
import { existing } from '../paths.ts'
import { findProductOnSale } from '../products/queries.ts'
import { removeImage, setImage } from './actions.ts'
import { findImage, type ImageKey, type Owner } from './queries.ts'
import { imageOf, type Pictured } from './rules.ts'
import { IMAGES_PATH, Image, NewImage } from './schema.ts'

/** The picture at an address never changes. */
const FOR_GOOD = 'public, max-age=31536000, immutable'
/** For a picture that is opened by itself: a browser may only show it. */
const SANDBOX = "default-src 'none'; style-src 'unsafe-inline'; sandbox"

const file = { schema: { type: 'string', format: 'binary' } }

/** The public pictures of the catalogue. */
export const imageRoutes: Routes = (app) => {
  app.route({
    method: 'GET',
    url: `${IMAGES_PATH}/:id`,
    config: { access: 'public' },
    schema: {
      tags: ['Store'],
      summary: 'The picture of a product or category',
      description: 'It never changes: `image.url` of a product names another one after an upload.',
      params: IdParams,
      response: {
        200: {
          description: 'The picture',
          content: { 'image/png': file, 'image/jpeg': file, 'image/webp': file },
        },
        304: Type.Null({ description: 'It is the one that `If-None-Match` names.' }),
        ...problems(404),
      },
    },
    async handler({ db, tenantId, params, headers }, reply) {
      const image = await findImage(db, { tenantId, ...params })
      if (!image) throw notFound('Image')
      const etag = `"${image.id}"`
      reply.headers({ etag, 'cache-control': FOR_GOOD, 'content-security-policy': SANDBOX })
      if (namesTag(headers['if-none-match'], etag))
        return sendFile(reply.code(304), image.mediaType, '')
      return sendFile(reply, image.mediaType, image.content)
    },
  })
}

const tags: Tag[] = ['Admin - Store & Invoices']

type Owned = {
  readonly path: string
  readonly what: string
  readonly owner: Owner
  readonly find: (db: Db, key: ImageKey) => Promise<Pictured | undefined>
}

const OWNERS: readonly Owned[] = [
  { path: 'products', what: 'a product', owner: 'store.products', find: findProductOnSale },
  { path: 'categories', what: 'a category', owner: 'store.categories', find: findCategory },
]

/** What administrators do with the pictures of the catalogue. */
export const imageAdminRoutes: Routes = (app) => {
  for (const { path, what, owner, find } of OWNERS) {
    const shown = async ({ db, tenantId }: Pick<FastifyRequest, 'db' | 'tenantId'>, id: string) => {
      const row = await find(db, { tenantId, id })
      const image = row && imageOf(row)
      if (!image) throw notFound('Image')
      return image
    }

    app.route({
      method: 'GET',
      url: `/v1/admin/${path}/:id/image`,
      config: { access: 'admin', permission: 'store:read' },
      schema: {
        tags,
        summary: `Get the picture of ${what}: its address, size and alternative text`,
        params: IdParams,
        response: { 200: Image, ...problems(404) },
      },
      handler: async (request) => shown(request, request.params.id),
    })

    app.route({
      method: 'PUT',
      url: `/v1/admin/${path}/:id/image`,
      config: {
        ...{ access: 'admin', permission: 'store:write', exists: existing(find) },
        versioned: Object.keys(Image.properties),
      },
      schema: {
        tags,
        summary: `Upload the picture of ${what}, or change its alternative text`,
        description:
          'Only what draws the picture is kept: metadata, such as where a photograph was taken, is removed.',
        params: IdParams,
        body: NewImage,
        response: { 200: Image, ...problems(404, 422) },
      },
      async handler(request) {
        const { params, body, tenantId, now, transact } = request
        const owned = { owner, key: { tenantId, ...params } }
        await transact((tx) => setImage(tx, owned, body, now))
        return shown(request, params.id)
      },
    })

    app.route({
      method: 'DELETE',
      url: `/v1/admin/${path}/:id/image`,
      config: { access: 'admin', permission: 'store:write' },
      schema: {
        tags,
        summary: `Delete the picture of ${what}`,
        params: IdParams,
        response: { 200: Deleted, ...problems(404) },
      },
      async handler({ params, tenantId, transact }) {
        await transact((tx) => removeImage(tx, { owner, key: { tenantId, ...params } }))
        return { id: params.id, deleted: true }
      },
    })
  }
}
