import { useState } from 'react'

/** The hidden columns of a list, stored in this browser by the name of the list. */
export function useHiddenColumns(list: string, hiddenAtFirst: readonly string[]) {
  const key = `columns:${list}`
  const [hidden, setHidden] = useState<readonly string[]>(() => stored(key) ?? hiddenAtFirst)
  return {
    hidden,
    toggle: (id: string) => {
      const next = hidden.includes(id) ? hidden.filter((it) => it !== id) : [...hidden, id]
      localStorage.setItem(key, JSON.stringify(next))
      setHidden(next)
    },
  }
}

function stored(key: string): readonly string[] | null {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(key) ?? 'null')
    return Array.isArray(value) ? value.filter((it) => typeof it === 'string') : null
  } catch {
    return null
  }
}
