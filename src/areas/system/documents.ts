import { hash } from 'node:crypto'
import fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { Type } from 'typebox'
import type { Routes } from '#platform/http/index.ts'
import { sendFile } from '#platform/http/request.ts'
import { ROOT } from '#platform/root.ts'

const tags = ['System']

/** The API document, and the page that shows it. */
export const documentRoutes: Routes = (app) => {
  const files = referenceFiles()
  let served: Prepared | null = null

  app.route({
    method: 'GET',
    url: '/v1/openapi.json',
    config: { access: 'public', whileSuspended: true },
    schema: {
      tags,
      summary: 'This API as an OpenAPI 3.1 document',
      response: {
        200: Type.Unsafe<object>({ type: 'object', additionalProperties: true }),
        304: Type.Unsafe<never>({ description: 'The document has not changed.' }),
      },
    },
    async handler({ headers }, reply) {
      served ??= prepare(JSON.stringify(app.swagger()))
      const { etag } = served
      reply.headers({ etag, 'cache-control': 'public, no-cache', vary: 'accept-encoding' })
      if (isKnown(headers['if-none-match'], etag)) return reply.code(304).send()
      const encoding = encodingFor(headers['accept-encoding'])
      if (encoding) reply.header('content-encoding', encoding)
      return sendFile(reply, 'application/json; charset=utf-8', served[encoding ?? 'plain'])
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/docs',
    config: { access: 'public', whileSuspended: true },
    schema: {
      tags,
      summary: 'The API reference for browsers',
      produces: ['text/html'],
      response: { 200: Type.String() },
    },
    handler: async (_request, reply) =>
      sendFile(
        reply.header('content-security-policy', PAGE_POLICY),
        'text/html; charset=utf-8',
        PAGE,
      ),
  })

  for (const { name, file, type } of files) {
    app.route({
      method: 'GET',
      url: `/v1/docs/${name}`,
      config: { access: 'public', hidden: true, whileSuspended: true },
      handler: async (_request, reply) =>
        sendFile(
          reply.header('cache-control', 'public, max-age=3600'),
          type,
          fs.readFileSync(file),
        ),
    })
  }
}

/** The document in the encodings it is served in, compressed once. */
type Prepared = { etag: string; plain: Buffer; br: Buffer; gzip: Buffer }

function prepare(text: string): Prepared {
  const plain = Buffer.from(text)
  return {
    etag: `W/"${hash('sha256', text, 'base64url').slice(0, 22)}"`,
    ...{ plain, br: brotliCompressSync(plain, QUICK), gzip: gzipSync(plain) },
  }
}

/** The highest quality would take seconds, and make the document hardly smaller. */
const QUICK = { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }

function isKnown(header: string | undefined, etag: string): boolean {
  const given = (header ?? '').split(',').map((it) => it.trim())
  return given.includes(etag) || given.includes('*')
}

/** The best encoding that a client accepts; null for none. */
function encodingFor(header: string | string[] | undefined): 'br' | 'gzip' | null {
  const accepted = String(header ?? '')
    .split(',')
    .map((it) => it.trim().toLowerCase())
    .filter((it) => !/;\s*q=0(\.0*)?$/.test(it))
    .map((it) => it.split(';')[0])
  if (accepted.includes('br')) return 'br'
  return accepted.includes('gzip') ? 'gzip' : null
}

/** The page's own content policy: our files, inline styles, nothing from elsewhere. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Moorage API</title>
<link rel="stylesheet" href="/v1/docs/reference.css">
</head>
<body>
<div id="reference"></div>
<script src="/v1/docs/reference.js"></script>
<script src="/v1/docs/start.js"></script>
</body>
</html>
`

function referenceFiles() {
  const require = createRequire(import.meta.url)
  const script = 'text/javascript; charset=utf-8'
  return [
    {
      name: 'reference.js',
      file: require.resolve('swagger-ui-dist/swagger-ui-bundle.js'),
      type: script,
    },
    {
      name: 'reference.css',
      file: require.resolve('swagger-ui-dist/swagger-ui.css'),
      type: 'text/css; charset=utf-8',
    },
    { name: 'start.js', file: path.join(ROOT, 'src/areas/system/start.js'), type: script },
  ]
}
