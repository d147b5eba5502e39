import { type RefObject, useEffect } from 'react'

/** `j` and `k` move along the rows of a list, `x` selects one, and `Enter` opens it. */
export function useRowKeys(list: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey } = event
      if (ctrlKey || metaKey || altKey || !['j', 'k', 'x'].includes(key)) return
      const target = event.target as HTMLElement
      if (
        target.closest('input:not([type=checkbox]), textarea, select, [role=dialog], [role=menu]')
      )
        return
      const rows = [...(list.current?.querySelectorAll('tbody tr') ?? [])]
      const at = rows.findIndex((row) => row.contains(document.activeElement))
      if (key === 'x') {
        rows[at]?.querySelector<HTMLElement>('input[type=checkbox]')?.click()
        return
      }
      const next = rows[at === -1 ? 0 : at + (key === 'j' ? 1 : -1)]
      next?.querySelector<HTMLElement>('a.rowlink, button.rowlink')?.focus()
    }
    addEventListener('keydown', pressed)
    return () => removeEventListener('keydown', pressed)
  }, [list])
}
