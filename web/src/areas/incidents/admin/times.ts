import { useTimes } from '../../../ui/times.ts'

type Fields = { readonly startsAt: string; readonly endsAt: string }

/** The times of a form for the API; empty ones are left out. */
export function useTimesOf() {
  const { instantOf } = useTimes()
  return ({ startsAt, endsAt }: Fields) => {
    const [from, to] = [instantOf(startsAt), instantOf(endsAt)]
    return { ...(from && { startsAt: from }), ...(to && { endsAt: to }) }
  }
}

/** Whether maintenance lacks a begin or an end, or ends before it begins. */
export function useIsTimeless() {
  const { instantOf } = useTimes()
  return (kind: 'incident' | 'maintenance', { startsAt, endsAt }: Fields) => {
    if (kind === 'incident') return false
    const [from, to] = [instantOf(startsAt), instantOf(endsAt)]
    return from === null || to === null || to <= from
  }
}
