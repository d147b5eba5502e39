import type { ReactNode } from 'react'
import { isViewing } from '../api/session.ts'
import { useTexts } from '../texts/index.tsx'
import * as I from './icons.ts'
import { Empty } from './states.tsx'

/** Content that is hidden while staff view the shop as a customer: the API refuses it, so it is not requested. */
export function Private({ children }: { children: ReactNode }) {
  const { common } = useTexts()
  if (!isViewing()) return children
  return (
    <Empty icon={I.Lock} title={common.private}>
      {common.privateText}
    </Empty>
  )
}
