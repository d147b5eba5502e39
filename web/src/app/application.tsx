import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { boot, nonce } from '../api/boot.ts'
import { loadTexts, Speaking } from '../texts/index.tsx'
import { Look } from '../ui/provider.tsx'
import { cacheAnswers } from './answers.ts'
import { loadRouter } from './router.tsx'

// The API client retries by itself, as the API tells it to.
const queries = new QueryClient({
  defaultOptions: { queries: { retry: false, staleTime: 15_000 } },
})

/** Draws the complete screen in place of the outline. */
export async function application(): Promise<void> {
  const root = document.querySelector('#root')
  if (!root) return
  cacheAnswers(queries, boot.answers)
  const [texts, router] = await Promise.all([loadTexts(boot.locale), loadRouter()])
  // The screen's own script: without it, the first thing drawn would be an empty frame.
  await router.load()
  // In a transition, React renders in slices, and reacts to input in between.
  startTransition(() =>
    createRoot(root).render(
      <Speaking locale={boot.locale} texts={texts} timeZone={boot.answers.me?.timeZone ?? null}>
        <Look nonce={nonce}>
          <QueryClientProvider client={queries}>
            <RouterProvider router={router} />
          </QueryClientProvider>
        </Look>
      </Speaking>,
    ),
  )
}
