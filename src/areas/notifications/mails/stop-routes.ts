import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import { notFound } from '#lib/problem.ts'
import type { App, Routes } from '#platform/http/index.ts'
import { sendFile } from '#platform/http/request.ts'
import { type Html, html } from '#platform/pages/html.ts'
import { brandOf } from '#tenants'
import { findUser } from '#users'
import { changePreferences } from '../preferences/actions.ts'
import { isOptionalMail } from '../preferences/rules.ts'
import { pageTexts } from '../texts/index.ts'
import { readStop, STOP_PATH } from './stops.ts'

const MAX_BYTES = 16 * 1024
const TokenQuery = Type.Object({ token: Type.String({ minLength: 1, maxLength: 500 }) })
const config = { access: 'public', hidden: true, whileSuspended: true } as const

/**
 * Unsubscribes from mails of a kind without signing in: the page of a link in a mail, and what mail programs post
 * by themselves (RFC 8058). Opening the page changes nothing, because programs open links too.
 */
export const stopRoutes: Routes = (app, { secrets }) => {
  readAnyForm(app)

  async function stopOf(request: {
    db: Parameters<typeof findUser>[0]
    tenantId: string
    query: { token: string }
    spendAuthQuota(): Promise<void>
  }) {
    const { db, tenantId, query } = request
    const stop = readStop(secrets, { tenantId, token: query.token })
    const user = stop ? await findUser(db, stop) : undefined
    if (stop && user && !user.deletedAt && isOptionalMail(stop.kind)) {
      return { stop, texts: pageTexts(user.locale), locale: user.locale }
    }
    await request.spendAuthQuota()
    throw notFound('Link')
  }

  app.route({
    method: 'GET',
    url: STOP_PATH,
    config,
    schema: { querystring: TokenQuery },
    async handler(request, reply) {
      const { texts, locale } = await stopOf(request)
      const { name } = await brandOf(request.db, request.tenantId)
      const form = html`<p>${texts.stopBody}</p>
<form method="post"><button type="submit">${texts.stop}</button></form>`
      return page(reply, { title: texts.stopTitle, name, locale, body: form })
    },
  })

  app.route({
    method: 'POST',
    url: STOP_PATH,
    config,
    schema: { querystring: TokenQuery, body: Type.Unknown() },
    async handler(request, reply) {
      const { stop, texts, locale } = await stopOf(request)
      await request.transact((tx) =>
        changePreferences(tx, stop, [{ kind: stop.kind, email: false }]),
      )
      const { name } = await brandOf(request.db, request.tenantId)
      const body = html`<p>${texts.stopped}</p>`
      return page(reply, { title: texts.stopTitle, name, locale, body })
    },
  })
}

/** Mail programs post `List-Unsubscribe=One-Click` in different encodings; the body is ignored, the link is enough. */
function readAnyForm(app: App): void {
  for (const type of ['application/x-www-form-urlencoded', 'multipart/form-data']) {
    app.addContentTypeParser(
      type,
      { parseAs: 'buffer', bodyLimit: MAX_BYTES },
      (_request, _bytes, done) => done(null, {}),
    )
  }
}

type Shown = { title: string; name: string; locale: string; body: Html }

function page(reply: FastifyReply, { title, name, locale, body }: Shown): FastifyReply {
  reply.header(
    'content-security-policy',
    "default-src 'none'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  )
  return sendFile(
    reply,
    'text/html; charset=utf-8',
    html`<!doctype html>
<html lang="${locale}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex"><title>${`${title} · ${name}`}</title></head>
<body><main><p>${name}</p><h1>${title}</h1>
${body}
</main></body>
</html>
`.text,
  )
}
