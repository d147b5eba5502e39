import type { FastifyReply } from 'fastify'
import type { KoaContextWithOIDC } from 'oidc-provider'
import { LOCALES } from '#lib/languages.ts'
import type { Db } from '#platform/database/index.ts'
import { sendFile } from '#platform/http/request.ts'
import type { PageDocument } from '#platform/pages/document.ts'
import { localeOf } from '#platform/pages/locale.ts'
import { brandOf } from '#tenants'
import type { Setting } from '../pages/layout.ts'

/** Answers a request to the library with one of our pages. */
export function showPage(ctx: KoaContextWithOIDC, page: PageDocument): void {
  ctx.type = 'html'
  ctx.body = page.html
  ctx.state.page = page
}

/** Sends a page with its own content policy. */
export function sendPage(reply: FastifyReply, { html, headers }: PageDocument): FastifyReply {
  return sendFile(reply.headers(headers), 'text/html; charset=utf-8', html)
}

/** The brand and the language of the pages for a request to the library. */
export function settingOf(
  db: Db,
  tenantId: string,
  { oidc, headers }: KoaContextWithOIDC,
): Promise<Setting> {
  const asked = oidc.params?.ui_locales
  return settingFor(db, tenantId, { asked, header: headers['accept-language'] })
}

/** The brand of a tenant, and the language for a reader. */
export async function settingFor(
  db: Db,
  tenantId: string,
  { asked, header }: { asked?: unknown; header: string | undefined },
): Promise<Setting> {
  const brand = await brandOf(db, tenantId)
  return {
    brand,
    locale: localeOf({
      ...{ asked, header, fallback: brand.locale ?? 'en' },
      spoken: LOCALES,
    }),
  }
}
