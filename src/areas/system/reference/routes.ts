import fs from 'node:fs/promises'
import path from 'node:path'
import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import { notFound } from '#lib/problem.ts'
import { sendBuiltFile } from '#platform/http/built-files.ts'
import type { Routes } from '#platform/http/index.ts'
import { sendFile } from '#platform/http/request.ts'
import type { Html } from '#platform/pages/html.ts'
import { ROOT } from '#platform/root.ts'
import { outlineOf } from './outline.ts'

/** The folder to which `scripts/reference.js` writes the files of the reference and the guide. */
const MADE = path.join(ROOT, 'docs/.reference')

const FOLDERS = {
  'reference.js': MADE,
  'guide.md': MADE,
  'start.js': path.join(ROOT, 'src/areas/system/reference'),
} as const
const AN_HOUR = 'public, max-age=3600'

/** The API reference as a page, and the files it is made of. */
export const referenceRoutes: Routes = (app) => {
  let page: string | undefined

  app.route({
    method: 'GET',
    url: '/v1/docs',
    config: { access: 'public', whileSuspended: true },
    schema: {
      tags: ['System'],
      summary: 'The API reference for browsers',
      produces: ['text/html'],
      response: { 200: Type.String() },
    },
    async handler(_request, reply) {
      reply.header('content-security-policy', PAGE_POLICY)
      if (!(await isFile(path.join(MADE, 'reference.js')))) return sendPage(reply, NOT_BUILT)
      page ??= pageWith(outlineOf(app.swagger() as Parameters<typeof outlineOf>[0]))
      return sendPage(reply, page)
    },
  })

  for (const [name, folder] of Object.entries(FOLDERS)) {
    app.route({
      method: 'GET',
      url: `/v1/docs/${name}`,
      config: { access: 'public', hidden: true, whileSuspended: true },
      async handler(request, reply) {
        if (!(await isFile(path.join(folder, name)))) throw notFound('File')
        return sendBuiltFile(request, reply, { folder, name, cacheControl: AN_HOUR })
      },
    })
  }
}

function sendPage(reply: FastifyReply, page: string) {
  return sendFile(reply, 'text/html; charset=utf-8', page)
}

function isFile(file: string): Promise<boolean> {
  return fs.access(file).then(
    () => true,
    () => false,
  )
}

/** Our files, inline styles (the reference sets them by script), and requests to this host only. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const HEAD = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Moorage API</title>
<link rel="icon" href="data:,">
</head>
<body>`

/** The page, with an outline that disappears when the program starts. */
function pageWith(outline: Html): string {
  return `${HEAD}
<style>#outline{max-width:60rem;margin:2rem auto;padding:0 1rem;font:16px/1.5 system-ui,sans-serif}</style>
<div id="outline">${outline.text}</div>
<div id="reference"></div>
<script src="/v1/docs/reference.js" defer></script>
<script type="module" src="/v1/docs/start.js"></script>
</body>
</html>
`
}

const NOT_BUILT = `${HEAD}
<h1>The API reference has not been built</h1>
<p>Run these commands in the folder of the sources, then load this page again. The service need not be restarted.</p>
<pre>npm ci
npm run docs</pre>
<p>The document itself is at <a href="/v1/openapi.json">/v1/openapi.json</a>.</p>
</body>
</html>
`
