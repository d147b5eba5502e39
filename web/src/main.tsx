import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { createRoot } from 'react-dom/client'
import { boot, nonce } from './api/boot.ts'
import { loadRouter } from './app/router.tsx'
import { loadTexts, Speaking } from './texts/index.tsx'
import { Look } from './ui/provider.tsx'

// The client of the API tries again by itself, as long as the API says.
const queries = new QueryClient({
  defaultOptions: { queries: { retry: false, staleTime: 15_000 } },
})
const root = document.querySelector('#root')

if (root) {
  const [texts, router] = await Promise.all([loadTexts(boot.locale), loadRouter()])
  createRoot(root).render(
    <Speaking locale={boot.locale} texts={texts}>
      <Look nonce={nonce}>
        <QueryClientProvider client={queries}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </Look>
    </Speaking>,
  )
}
