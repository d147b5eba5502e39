import { type ReactNode, useEffect } from 'react'

type PageProps = {
  readonly title: string
  /** A sentence below the title. */
  readonly sub?: ReactNode
  readonly actions?: ReactNode
  /** Stands in place of the usual head; it has the `h1`. */
  readonly head?: ReactNode
  readonly children: ReactNode
}

/** One screen: its title in the tab and as its only `h1`. */
export function Page({ title, sub, actions, head, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · ${shop}`
  }, [title])
  return (
    <div className="page">
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

/** The page came with the shop's name as its title. */
const shop = document.title
