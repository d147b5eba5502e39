import path from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

const ROOT = import.meta.dirname
/** Where a running service is, for the development server. */
const SERVICE = process.env.MOORAGE_URL ?? 'http://127.0.0.1:3000'

/**
 * In development the service makes the page as ever; its built files are replaced by the sources, which
 * the policy of the page would not allow.
 */
const startPage: Plugin = {
  name: 'start-page',
  apply: 'serve',
  configureServer(server) {
    server.middlewares.use(async (request, response, next) => {
      if (!request.headers.accept?.includes('text/html')) return next()
      const headers = Object.fromEntries(
        Object.entries(request.headers).filter(([name]) => ['cookie', 'host'].includes(name)),
      ) as Record<string, string>
      const url = request.url ?? '/'
      const answer = await fetch(`${SERVICE}${url}`, { headers, redirect: 'manual' })
      const text = await answer.text()
      const isApplication = text.includes('id="boot"')
      const page = isApplication
        ? text
            .replace(/<link rel="(?:stylesheet|modulepreload)" href="\/app\/[^>]*>/g, '')
            .replace(/<script src="\/app\/[^>]*><\/script>/, '')
            .replace('</body>', '<script type="module" src="/app/src/main.tsx"></script></body>')
        : text
      for (const [name, value] of answer.headers) {
        const isOurs = !/^(?:content-(?:encoding|length|security-policy)|transfer-encoding)$/.test(
          name,
        )
        if (isOurs) response.setHeader(name, value)
      }
      response.statusCode = answer.status
      response.end(isApplication ? await server.transformIndexHtml(url, page) : page)
    })
  },
}

export default defineConfig({
  root: ROOT,
  base: '/app/',
  publicDir: false,
  plugins: [react(), startPage],
  resolve: {
    alias: {
      '@moorage/client': path.join(ROOT, '../client/src/index.ts'),
      '@moorage/currencies': path.join(ROOT, '../src/lib/currencies.ts'),
      '@moorage/languages': path.join(ROOT, '../src/lib/languages.ts'),
      // The colour code of the service, so that the preview matches its pages.
      '@moorage/brand-colors': path.join(ROOT, '../src/platform/pages/colors.ts'),
    },
  },
  server: { proxy: { '^/(?!app/)': { target: SERVICE, changeOrigin: false } } },
  build: {
    target: 'es2023',
    outDir: 'dist',
    manifest: 'manifest.json',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      input: 'src/main.tsx',
      output: {
        codeSplitting: {
          groups: [
            // One file for what every screen needs, instead of forty of a few hundred bytes each.
            { name: 'kit', test: /node_modules[\\/](?:react|react-dom|scheduler|@tanstack)[\\/]/ },
            { name: 'icons', test: /@tabler[\\/]icons-react/ },
          ],
        },
      },
    },
  },
})
