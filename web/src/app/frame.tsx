import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRouterState } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { boot } from '../api/boot.ts'
import { unread } from '../api/reads.ts'
import { useTexts } from '../texts/index.tsx'
import { I, Link, useAnnouncement } from '../ui/index.ts'
import { followEvents } from './live.ts'
import { TestMode } from './test-mode.tsx'

type FrameProps = {
  readonly side: ReactNode
  readonly top: ReactNode
  readonly tabs: ReactNode
  readonly children: ReactNode
  /** A link in the bar of test mode. */
  readonly goLive?: ReactNode
}

/** The layout shared by the customer area and the administration: navigation, bars and the screen. */
export function Frame({ side, top, tabs, children, goLive }: FrameProps) {
  const { common } = useTexts()
  const path = useRouterState({ select: (state) => state.location.pathname })
  const isFirst = useRef(true)
  const queries = useQueryClient()
  useEffect(() => followEvents(queries), [queries])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the focus moves whenever the path changes.
  useEffect(() => {
    // After navigation the focus moves to the screen, but not at the first load, when it belongs to the skip link.
    if (isFirst.current) isFirst.current = false
    else document.querySelector<HTMLElement>('#main')?.focus({ preventScroll: true })
  }, [path])
  return (
    <>
      <a className="skip" href="#main">
        {common.skip}
      </a>
      <div role="status" className="sr">
        {useAnnouncement()}
      </div>
      <div className="shell">
        {side}
        <div className="panel">
          <TestMode action={goLive} />
          {top}
          <Connection />
          <main id="main" tabIndex={-1} className="grow">
            {children}
          </main>
        </div>
        {tabs}
      </div>
    </>
  )
}

/** The shop's logo and name, linked to the first screen. */
export function Brand({ to, tag }: { to: '/home' | '/admin'; tag?: string }) {
  return (
    <Link to={to} className="brand">
      {boot.logoUrl ? (
        <>
          <img className="light-logo" src={boot.logoUrl} alt="" height={26} />
          {boot.darkLogoUrl ? (
            <img className="dark-logo" src={boot.darkLogoUrl} alt="" height={26} />
          ) : null}
        </>
      ) : (
        <span aria-hidden className="sign">
          {[...boot.shop][0]?.toUpperCase()}
        </span>
      )}
      <span className="cut">{boot.shop}</span>
      {tag ? <span className="tag">{tag}</span> : null}
    </Link>
  )
}

/** The button in the side bar that opens the palette. */
export function Jump({ openPalette }: { openPalette: () => void }) {
  const { navigation } = useTexts()
  return (
    <button
      type="button"
      className="jump"
      onClick={openPalette}
      aria-keyshortcuts="Control+K Meta+K"
    >
      <I.Search size={16} stroke={1.75} aria-hidden />
      {navigation.jump}
      <kbd>{navigator.platform.startsWith('Mac') ? '⌘K' : 'Ctrl K'}</kbd>
    </button>
  )
}

/** The link to the notifications, with a dot if some are unread. */
export function Bell({ to }: { to: '/notifications' | '/admin/notifications' }) {
  const { navigation } = useTexts()
  const count = useQuery(unread).data?.count ?? 0
  const label = count > 0 ? navigation.unread(count) : navigation.notifications
  return (
    <Link to={to} className="bell" aria-label={label} title={label}>
      <I.Bell size={18} stroke={1.75} aria-hidden />
      {count > 0 ? <i aria-hidden /> : null}
    </Link>
  )
}

/** A notice while the browser is offline. */
function Connection() {
  const { common } = useTexts()
  const [isOnline, setOnline] = useState(navigator.onLine)
  useEffect(() => {
    const changed = () => setOnline(navigator.onLine)
    addEventListener('online', changed)
    addEventListener('offline', changed)
    return () => {
      removeEventListener('online', changed)
      removeEventListener('offline', changed)
    }
  }, [])
  return <div role="status">{isOnline ? null : <div className="banner">{common.offline}</div>}</div>
}
