import { useEffect, useState } from 'react'
import { shownUserId } from './session.ts'

/**
 * The fields of a form, kept in this tab until `clear` is called: an ended session, a reload or a refused
 * change loses nothing that was typed. Never for passwords and codes.
 */
export function useDraft<T extends object>(form: string, initial: T) {
  const name = `draft:${shownUserId()}:${form}`
  const [fields, setFields] = useState<T>(() => ({ ...initial, ...stored<T>(name) }))
  const [isChanged, setChanged] = useState(() => stored(name) !== null)
  useEffect(() => {
    if (isChanged) sessionStorage.setItem(name, JSON.stringify(fields))
  }, [name, fields, isChanged])
  return {
    fields,
    isChanged,
    set: (change: Partial<T>) => {
      setChanged(true)
      setFields((before) => ({ ...before, ...change }))
    },
    clear: (next: T = initial) => {
      sessionStorage.removeItem(name)
      setChanged(false)
      setFields(next)
    },
  }
}

function stored<T>(name: string): Partial<T> | null {
  try {
    const text = sessionStorage.getItem(name)
    return text === null ? null : JSON.parse(text)
  } catch {
    return null
  }
}
