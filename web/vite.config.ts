import path from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

const ROOT = import.meta.dirname
/**
 * What is sent together, the first that fits. Few files, by what needs them: each request costs a phone more than the bytes
 * in it. A part must not import a later one that fewer screens need, because its own screens would wait for that, too.
 */
const PARTS = Object.entries({
  // The entry needs only this; everything else is evaluated after the first paint.
  runtime: ['preload-helper|rolldown/runtime'],
  kit: ['/node_modules/(?:react|react-dom|scheduler|@tanstack)/'],
  // What every screen is made of.
  frame: [
    '@mantine/core/esm/(?:core|components/(?:Button|CopyButton|Loader|Transition|UnstyledButton))/',
    // Tooltips of buttons that are icons.
    '/@floating-ui/',
    '@mantine/core/esm/components/(?:ActionIcon|Floating|Portal|Tooltip)/',
    // The icons of both frames, and of dialogs.
    '@tabler/icons-react/.*/Icon(?:ArrowUpRight|ChevronRight|CreditCard|Dots|Download|Gift|History|Lifebuoy|Plus|Refresh|Server2|ShoppingCart|X)\\.',
    '/(?:openapi-fetch|get-nonce|clsx)/',
    '/client/src/',
    '/src/lib/',
    '/web/src/api/(?:actions|boot|client|downloads|drafts|lists|reads|session)\\.',
    '/web/src/app/(?!admin|palette|account-items|shell)',
    '/web/src/texts/(?:index|plural)\\.',
    '/web/src/ui/(?:change|chart|dialog|drawer|format|icons|inner-link|icon-action|kit|lazy-menu|list|page|parts|private)\\.',
    '/web/src/ui/(?:provider|scheme|states|table|theme|toast)\\.',
  ],
  // The frame of the customer area, and what most of its screens need.
  customer: [
    '/web/src/app/shell\\.',
    '/web/src/areas/incidents/banner\\.',
    '/web/src/areas/(?:billing/(?:index|names|reads|save|status)|notifications/(?:entries|index|list))\\.',
    '/web/src/areas/(?:services/(?:card|index|period|price|reads|status)|account/frame)\\.',
  ],
  // The frame of the administration.
  desk: ['/web/src/app/admin/(?!palette|found)', '/web/src/api/(?:admin-reads|permissions)\\.'],
  // Those that the two frames do not contain.
  icons: ['@tabler/icons-react/'],
  service: [
    '/web/src/areas/services/(?:activity-list|frame|live|power)\\.',
    '/web/src/ui/live-graph\\.',
  ],
  fields: [
    // Two functions of the lists to choose from, which a segmented control needs, too.
    '@mantine/hooks/esm/utils/use-callback-ref/',
    '@mantine/core/esm/components/ScrollArea/utils/to-int\\.',
    '@mantine/core/esm/components/(?:Checkbox|CloseButton|InlineInput|Input|InputBase|TextInput)/',
    '/web/src/ui/lists/keys\\.',
  ],
  places: ['/web/src/areas/account/countries\\.', '/web/src/ui/languages\\.'],
  // One file, because the name of each costs the first screen bytes.
  live: ['/web/src/(?:areas/desk/|api/live-lists\\.)'],
  // Lists to choose from.
  choices: ['@mantine/core/esm/components/(?:Combobox|Popover|ScrollArea|Select)/'],
})

/** Matches the paths of modules, on every system. */
function files(patterns: readonly string[]): RegExp {
  return new RegExp(patterns.join('|').replaceAll('/', '[\\\\/]'))
}

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
            .replace('</body>', '<script type="module" src="/app/src/main.ts"></script></body>')
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
      // The second one is written into the page by the service.
      input: ['src/main.ts', 'src/ui/styles/inline.css'],
      output: {
        // The first screen has the name of each further file in it: seven characters tell versions of a file apart.
        chunkFileNames: 'assets/[name]-[hash:7].js',
        codeSplitting: {
          groups: PARTS.map(([name, patterns], index) => ({
            ...{ name, test: files(patterns), priority: PARTS.length - index },
          })),
        },
      },
    },
  },
})
