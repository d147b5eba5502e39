import { useCallback, useEffect, useRef, useState } from 'react'

/** A person who has typed nothing for this long is not writing any more. */
const PAUSE_MS = 60_000

/** Whether the reader is writing now, and the function to call at each change of the text. */
export function useWriting(): [isWriting: boolean, typed: (text: string) => void] {
  const [isWriting, setWriting] = useState(false)
  const timer = useRef<number>(undefined)
  const typed = useCallback((text: string) => {
    clearTimeout(timer.current)
    setWriting(text !== '')
    if (text !== '') timer.current = window.setTimeout(() => setWriting(false), PAUSE_MS)
  }, [])
  useEffect(() => () => clearTimeout(timer.current), [])
  return [isWriting, typed]
}
