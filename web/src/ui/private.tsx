import type { ReactNode } from 'react'
import { isViewing } from '../api/session.ts'
import { useTexts } from '../texts/index.tsx'
import * as I from './icons.ts'
import { Empty } from './states.tsx'

/** What staff who view the shop as a customer are not shown: the API refuses it, so nothing asks for it. */
export function Private({ children }: { children: ReactNode }) {
  const { common } = useTexts()
  if (!isViewing()) return children
  return (
    <Empty icon={I.Lock} title={common.private}>
      {common.privateText}
    </Empty>
  )
}
