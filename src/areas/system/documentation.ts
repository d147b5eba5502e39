import { hash } from 'node:crypto'
import fs from 'node:fs/promises'
import path from 'node:path'
import type { FastifyContextConfig, FastifyReply, FastifyRequest } from 'fastify'
import { notFound } from '#lib/problem.ts'
import type { Routes } from '#platform/http/index.ts'
import { sendFile } from '#platform/http/request.ts'
import { namesTag } from '#platform/http/tags.ts'
import { encodingFor } from '#platform/pages/compression.ts'
import { ROOT } from '#platform/root.ts'

/** Where `scripts/documentation.js` puts the site. */
const SITE = path.join(ROOT, 'docs/.vitepress/dist')
/** A path inside the site. No segment begins with a dot. */
const PATH = /^(?:[\w@-][\w.@-]*\/)*(?:[\w@-][\w.@-]*)?$/
const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

/** The documentation, as static files under `/docs`. `site` is the folder it was built into. */
export function documentationRoutes(site: string = SITE): Routes {
  return (app) => {
    const config: FastifyContextConfig = {
      ...{ access: 'public', hidden: true, uncounted: true, whileSuspended: true },
    }
    app.route({
      method: 'GET',
      url: '/docs',
      config,
      handler: (_request, reply) => reply.redirect('/docs/', 308),
    })
    app.route({
      method: 'GET',
      url: '/docs/*',
      config,
      async handler(request, reply) {
        const { '*': name = '' } = request.params as Record<string, string>
        reply.headers({ 'x-robots-tag': 'noindex', 'cross-origin-resource-policy': 'same-origin' })
        const policy = await read(site, 'policy.json')
        if (!policy) return sendFile(reply.code(404), 'text/html; charset=utf-8', NOT_BUILT)
        const file = await fileFor(site, name)
        if (!file) throw notFound('Page')
        if (file.name.endsWith('.html')) {
          reply.header('content-security-policy', policyOf(JSON.parse(policy.toString())))
        }
        if (file.name === '404.html') reply.code(404)
        return send(request, reply, { site, ...file })
      },
    })
  }
}

type File = { readonly name: string; readonly content: Buffer }

/** The file at a path: itself, the page of that name, or the index of that folder. Null if there is none. */
async function fileFor(site: string, requested: string): Promise<File | null> {
  if (!PATH.test(requested)) return null
  const type = TYPES[path.extname(requested)]
  const isPage = !type || requested.endsWith('.html')
  const names = [
    ...(requested === '' || requested.endsWith('/') ? [`${requested}index.html`] : []),
    ...(type ? [requested] : [`${requested}.html`]),
    ...(isPage ? ['404.html'] : []),
  ]
  for (const name of names) {
    const content = await read(site, name)
    if (content) return { name, content }
  }
  return null
}

async function read(site: string, name: string): Promise<Buffer | null> {
  try {
    return await fs.readFile(path.join(site, name))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'EISDIR' || code === 'ENOTDIR' || code === 'ENAMETOOLONG') {
      return null
    }
    throw error
  }
}

async function send(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  { site, name, content }: File & { site: string },
): Promise<FastifyReply> {
  const type = TYPES[path.extname(name)] ?? 'application/octet-stream'
  const etag = `W/"${hash('sha256', content, 'base64url').slice(0, 22)}"`
  // The generator names these by their content.
  const isNamedByContent = name.startsWith('assets/')
  reply.headers({
    ...{ etag, vary: 'accept-encoding' },
    'cache-control': isNamedByContent ? 'public, max-age=31536000, immutable' : 'public, no-cache',
  })
  if (reply.statusCode === 200 && namesTag(headers['if-none-match'], etag))
    return reply.code(304).send()
  const encoding = encodingFor(headers['accept-encoding'])
  const compressed = encoding && (await read(site, `${name}.${encoding}`))
  if (!compressed) return sendFile(reply, type, content)
  return sendFile(reply.header('content-encoding', encoding), type, compressed)
}

/** Our own files, the inline scripts with these hashes, and inline styles: highlighted code has its colours there. */
function policyOf(inlineScripts: readonly string[]): string {
  return [
    "default-src 'none'",
    `script-src 'self' ${inlineScripts.join(' ')}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

const NOT_BUILT = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><title>Documentation</title></head>
<body>
<h1>The documentation has not been built</h1>
<p>Run these commands in the folder of the sources, then load this page again. The service need not be restarted.</p>
<pre>npm ci
npm run docs</pre>
<p>The same pages are Markdown files in the folder <code>docs</code>. The API reference is at <a href="/v1/docs">/v1/docs</a>.</p>
</body>
</html>
`
