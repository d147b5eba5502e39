import { type ReactNode, useEffect, useSyncExternalStore } from 'react'

type PageProps = {
  readonly title: string
  /** A sentence below the title. */
  readonly sub?: ReactNode
  readonly actions?: ReactNode
  /** Replaces the usual head; it contains the `h1`. */
  readonly head?: ReactNode
  /** For tables and overviews that need the room. */
  readonly wide?: boolean
  readonly children?: ReactNode
}

/** One screen: its title in the tab and as its only `h1`. */
export function Page({ title, sub, actions, head, wide = false, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · ${shop}`
    // The title of the first screen is read out with the page.
    if (shown !== '') announced = title
    shown = title
    for (const changed of watching) changed()
  }, [title])
  return (
    <div className={wide ? 'page wide' : 'page'}>
      {head ?? (
        <header className="page-head">
          <div>
            <h1>{title}</h1>
            {sub ? <div className="sub">{sub}</div> : null}
          </div>
          {actions ? <div className="actions">{actions}</div> : null}
        </header>
      )}
      {children}
    </div>
  )
}

/** The name of the shop: the service sends it as the title of the page. */
const shop = document.title

let shown = ''
let announced = ''
const watching = new Set<() => void>()

/** The title of the current screen, for the breadcrumbs. */
export function usePageTitle(): string {
  return useSyncExternalStore(watch, () => shown)
}

/** The title of a screen that was opened without loading a page, which browsers do not read out by themselves. */
export function useAnnouncement(): string {
  return useSyncExternalStore(watch, () => announced)
}

function watch(changed: () => void): () => void {
  watching.add(changed)
  return () => watching.delete(changed)
}
