import { useState } from 'react'

/** The hidden columns of a list, stored in this browser by the name of the list. */
export function useHiddenColumns(list: string, hiddenAtFirst: readonly string[]) {
  const key = `columns:${list}`
  const [hidden, setHidden] = useState<readonly string[]>(() => stored(key) ?? hiddenAtFirst)
  const hide = (next: readonly string[]) => {
    localStorage.setItem(key, JSON.stringify(next))
    setHidden(next)
  }
  return {
    hidden,
    hide,
    toggle: (id: string) =>
      hide(hidden.includes(id) ? hidden.filter((it) => it !== id) : [...hidden, id]),
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
