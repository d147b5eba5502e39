import { type LinkProps, useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'

/** How long a `g` waits for its letter, in ms. */
const PAUSE_MS = 900
const PLACES = {
  h: '/home',
  s: '/servers',
  i: '/invoices',
  o: '/orders',
  p: '/payment',
  n: '/notifications',
  t: '/tickets',
} as const

type Places = Readonly<Record<string, NonNullable<LinkProps['to']>>>

/** Keys that work outside of fields: Ctrl+K, `/` and `?` open the palette; `g` and a letter open a page. */
export function useKeys(openPalette: () => void, places: Places = PLACES): void {
  const navigate = useNavigate()
  const latest = useRef(places)
  latest.current = places
  useEffect(() => {
    // Event times count from the start of the page: 0 would be a `g` pressed while it loaded.
    let goAt = Number.NEGATIVE_INFINITY
    const pressed = (event: KeyboardEvent) => {
      const { key, altKey } = event
      const command = event.metaKey || event.ctrlKey
      if (command && key.toLowerCase() === 'k') {
        event.preventDefault()
        return openPalette()
      }
      const target = event.target as HTMLElement
      const isTyping = target.closest('input, textarea, select, [contenteditable], [role=slider]')
      if (command || altKey || isTyping) return
      if (key === '/' || key === '?') {
        event.preventDefault()
        openPalette()
      } else if (key === 'g') {
        goAt = event.timeStamp
      } else if (event.timeStamp - goAt < PAUSE_MS && latest.current[key]) {
        goAt = Number.NEGATIVE_INFINITY
        void navigate({ to: latest.current[key] })
      }
    }
    addEventListener('keydown', pressed)
    return () => removeEventListener('keydown', pressed)
  }, [navigate, openPalette])
}
