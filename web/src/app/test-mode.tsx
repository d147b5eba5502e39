import { queryOptions, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { boot } from '../api/boot.ts'
import { answerOf, client } from '../api/client.ts'
import { useTexts } from '../texts/index.tsx'

/** Whether payments are simulated. The page contains it, so it is only requested after a change of the gateways. */
const testMode = queryOptions({
  queryKey: ['meta', 'test-mode'],
  queryFn: async ({ signal }) => (await answerOf(client.GET('/v1/meta', { signal }))).testMode,
  initialData: boot.testMode,
  staleTime: Number.POSITIVE_INFINITY,
})

/** The coloured frame of test mode around every screen, and the bar that explains it. */
export function TestMode({ action }: { action?: ReactNode }) {
  const { common } = useTexts()
  if (!useQuery(testMode).data) return null
  return (
    <>
      <section className="banner" aria-label={common.testMode}>
        <span className="grow">
          <strong>{common.testMode}</strong> {common.testModeText}
        </span>
        {action}
      </section>
      <div className="test-frame" aria-hidden />
    </>
  )
}
