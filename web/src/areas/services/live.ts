import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { isViewing } from '../../api/session.ts'
import { type Live, liveStatus } from './reads.ts'

const EVERY_MS = 2000
/** Two minutes of samples. */
export const KEPT_SAMPLES = 60

/** The live status from the panel, requested every two seconds while the page is visible. */
export function useLive(id: string, isActive: boolean): Live | undefined {
  return useQuery({
    ...liveStatus(id),
    enabled: isActive && !isViewing(),
    refetchInterval: ({ state }) => (state.data?.available === false ? 15_000 : EVERY_MS),
    refetchIntervalInBackground: false,
  }).data
}

export type Sample = Extract<Live, { available: true }>

/** The samples of the last two minutes, newest last. */
export function useSamples(live: Live | undefined): readonly Sample[] {
  const [samples, setSamples] = useState<readonly Sample[]>([])
  useEffect(() => {
    if (!live?.available) return
    setSamples((before) => {
      const isKnown = before.at(-1)?.observedAt === live.observedAt
      return isKnown ? before : [...before, live].slice(-KEPT_SAMPLES)
    })
  }, [live])
  return samples
}
