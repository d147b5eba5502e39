import { useEffect, useRef } from 'react'

/** Single keys, except in fields and after `g`, which goes to another page. */
export function useTicketKeys(actions: Readonly<Record<string, () => void>>): void {
  const latest = useRef(actions)
  latest.current = actions
  useEffect(() => {
    let wasGo = false
    const pressed = (event: KeyboardEvent) => {
      const { key, metaKey, ctrlKey, altKey, target } = event
      const isTyping =
        target instanceof HTMLElement &&
        target.closest('input, textarea, select, [role=dialog], [role=menu]')
      const act =
        metaKey || ctrlKey || altKey || isTyping || wasGo ? undefined : latest.current[key]
      wasGo = key === 'g'
      if (!act) return
      event.preventDefault()
      act()
    }
    addEventListener('keydown', pressed)
    return () => removeEventListener('keydown', pressed)
  }, [])
}
