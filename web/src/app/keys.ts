import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'

/** How long a `g` waits for its letter, in ms. */
const PAUSE_MS = 900
const PLACES = {
  h: '/home',
  s: '/servers',
  i: '/invoices',
  o: '/orders',
  p: '/payment',
  n: '/notifications',
} as const

/** Keys that work everywhere but in fields: Ctrl+K or `/` opens the palette, `g` and a letter goes somewhere. */
export function useKeys(openPalette: () => void): void {
  const navigate = useNavigate()
  useEffect(() => {
    let goAt = 0
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
      if (key === '/') {
        event.preventDefault()
        openPalette()
      } else if (key === 'g') {
        goAt = event.timeStamp
      } else if (event.timeStamp - goAt < PAUSE_MS && key in PLACES) {
        goAt = 0
        void navigate({ to: PLACES[key as keyof typeof PLACES] })
      }
    }
    addEventListener('keydown', pressed)
    return () => removeEventListener('keydown', pressed)
  }, [navigate, openPalette])
}
