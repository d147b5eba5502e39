import { useEffect, useState } from 'react'
import { isSame, merge } from './edits.ts'
import { DRAFT, shownUserId } from './session.ts'

type Kept<T> = { readonly fields: T; readonly base: T }

/**
 * The fields of a form, stored in this tab until `clear` is called: input survives an ended session, a reload and
 * a refused change. Until something is typed, they follow the saved values. `base` are the saved
 * values that the input started from. Never for passwords and codes.
 */
export function useDraft<T extends object>(form: string, saved: T) {
  const name = `${DRAFT}${shownUserId()}:${form}`
  const [state, setState] = useState(() => {
    const kept = stored<T>(name)
    const fields = { ...saved, ...kept?.fields }
    return { fields, base: { ...saved, ...kept?.base }, isChanged: kept !== null, saved }
  })
  const { fields, base, isChanged } = state
  if (!isChanged && !isSame(saved, state.saved)) {
    setState({ fields: saved, base: saved, saved, isChanged: false })
  }
  useEffect(() => {
    if (isChanged) sessionStorage.setItem(name, JSON.stringify({ fields, base }))
  }, [name, fields, base, isChanged])
  return {
    ...{ fields, base, isChanged },
    set: (change: Partial<T>) =>
      setState((before) => ({
        ...before,
        isChanged: true,
        fields: { ...before.fields, ...change },
      })),
    /** Merges the input into newer saved values. */
    rebase: (next: T, newer: T) =>
      setState((before) => ({ ...before, fields: next, base: newer, isChanged: true })),
    /** Takes over what was saved of the input that was sent; what was typed since stays. */
    settle: (sent: T, next: T) => {
      sessionStorage.removeItem(name)
      setState((before) => {
        const { fields } = merge(sent, before.fields, next)
        return { ...before, fields, base: next, isChanged: !isSame(fields, next) }
      })
    },
    clear: (next: T = saved) => {
      sessionStorage.removeItem(name)
      setState((before) => ({ ...before, fields: next, base: next, isChanged: false }))
    },
  }
}

/** Puts input into a form that is not open yet, over its saved values. */
export function putDraft<T extends object>(form: string, fields: Partial<T>, base: T): void {
  const kept = { fields: { ...base, ...fields }, base }
  sessionStorage.setItem(`${DRAFT}${shownUserId()}:${form}`, JSON.stringify(kept))
}

function stored<T>(name: string): Kept<T> | null {
  try {
    const kept = JSON.parse(sessionStorage.getItem(name) ?? 'null')
    return kept?.base ? kept : null
  } catch {
    return null
  }
}
