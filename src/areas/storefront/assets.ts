import { notFound } from '#lib/problem.ts'
import type { Routes } from '#platform/http/index.ts'
import { sendFile } from '#platform/http/request.ts'
import { pageAssets } from '#platform/pages/assets.ts'
import { brandColors } from '#platform/pages/colors.ts'
import { encodingFor } from '#platform/pages/compression.ts'
import { ICON } from '#platform/pages/document.ts'
import { initialSign } from '#platform/pages/logo.ts'
import { brandOf } from '#tenants'

/**
 * The files of the pages: named by their content, so that browsers cache them for a year; and the icon that
 * a shop without a logo has in browser tabs.
 */
export const assetRoutes: Routes = (app) => {
  app.route({
    method: 'GET',
    url: '/assets/:name',
    config: { access: 'public', hidden: true, uncounted: true, whileSuspended: true },
    async handler(request, reply) {
      const { name = '' } = request.params as Record<string, string>
      const asset = pageAssets().byName.get(name)
      if (!asset) throw notFound('File')
      const encoding = asset.compressed && encodingFor(request.headers['accept-encoding'])
      reply.header('cache-control', 'public, max-age=31536000, immutable')
      reply.header('vary', 'accept-encoding')
      if (!asset.compressed || !encoding) return sendFile(reply, asset.type, asset.content)
      reply.header('content-encoding', encoding)
      return sendFile(reply, asset.type, asset.compressed[encoding])
    },
  })
  app.route({
    method: 'GET',
    url: ICON,
    config: { access: 'public', hidden: true, uncounted: true, whileSuspended: true },
    async handler({ db, tenantId }, reply) {
      const { name, primaryColor } = await brandOf(db, tenantId)
      const { fill, on } = brandColors(primaryColor).light
      reply.header('cache-control', 'public, max-age=3600')
      return sendFile(reply, 'image/svg+xml', initialSign(name, { size: 32, fill, on }).text)
    },
  })
}
