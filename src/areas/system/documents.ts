import fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { Type } from 'typebox'
import type { Routes } from '#platform/http/index.ts'
import { sendFile } from '#platform/http/request.ts'
import { ROOT } from '#platform/root.ts'

const tags = ['System']

/** The API document, and the page that shows it. */
export const documentRoutes: Routes = (app) => {
  const files = referenceFiles()

  app.route({
    method: 'GET',
    url: '/v1/openapi.json',
    config: { access: 'public', whileSuspended: true },
    schema: {
      tags,
      summary: 'This API as an OpenAPI 3.1 document',
      response: { 200: Type.Unsafe<object>({ type: 'object', additionalProperties: true }) },
    },
    handler: async (_request, reply) =>
      sendFile(reply, 'application/json; charset=utf-8', JSON.stringify(app.swagger())),
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
