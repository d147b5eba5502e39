import fs from 'node:fs/promises'
import path from 'node:path'
import type { FastifyContextConfig } from 'fastify'
import { notFound } from '#lib/problem.ts'
import { FOREVER, REVALIDATED, sendBuiltFile } from '#platform/http/built-files.ts'
import type { Routes } from '#platform/http/index.ts'
import { sendFile } from '#platform/http/request.ts'
import { ROOT } from '#platform/root.ts'

/** Where `scripts/documentation.js` puts the site. */
const SITE = path.join(ROOT, 'docs/.vitepress/dist')
/** A path inside the site. No segment begins with a dot. */
const PATH = /^(?:[\w@-][\w.@-]*\/)*(?:[\w@-][\w.@-]*)?$/
const HTML = 'text/html; charset=utf-8'
/** The files that are served besides pages. */
const SERVED = new Set(['.css', '.html', '.js', '.svg', '.woff2'])
/** The page of an address that does not exist. */
const MISSING = '404.html'

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
        if (!policy) return sendFile(reply.code(404), HTML, NOT_BUILT)
        const file = await fileFor(site, name)
        if (!file) throw notFound('Page')
        if (file.endsWith('.html')) {
          reply.header('content-security-policy', policyOf(JSON.parse(policy.toString())))
        }
        // The generator names the files in `assets` by their content.
        const cacheControl = file.startsWith('assets/') ? FOREVER : REVALIDATED
        if (file !== MISSING) {
          return sendBuiltFile(request, reply, { folder: site, name: file, cacheControl })
        }
        // Without an ETag: a 404 must not become a 304.
        return sendFile(reply.code(404), HTML, (await read(site, file)) ?? '')
      },
    })
  }
}

/** The name of the file at a path: itself, the page of that name, or the index of that folder. Null if there is none. */
async function fileFor(site: string, requested: string): Promise<string | null> {
  if (!PATH.test(requested)) return null
  const isServed = SERVED.has(path.extname(requested))
  const isPage = !isServed || requested.endsWith('.html')
  const names = [
    ...(requested === '' || requested.endsWith('/') ? [`${requested}index.html`] : []),
    isServed ? requested : `${requested}.html`,
    ...(isPage ? [MISSING] : []),
  ]
  for (const name of names) {
    const found = await fs.stat(path.join(site, name)).catch(nullIfNone)
    if (found?.isFile()) return name
  }
  return null
}

function read(site: string, name: string): Promise<Buffer | null> {
  return fs.readFile(path.join(site, name)).catch(nullIfNone)
}

function nullIfNone(error: NodeJS.ErrnoException): null {
  if (['ENOENT', 'ENOTDIR', 'ENAMETOOLONG'].includes(error.code ?? '')) return null
  throw error
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
