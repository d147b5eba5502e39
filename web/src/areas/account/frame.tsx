import type { ReactNode } from 'react'
import { useTexts } from '../../texts/index.tsx'
import { Link, Page } from '../../ui/index.ts'

const PAGES = [
  ...(['/account', '/account/security', '/account/access'] as const),
  ...(['/account/messages', '/account/data'] as const),
]

/** The common frame of the account pages, with links to the other ones. */
export function AccountFrame({ title, children }: { title: string; children: ReactNode }) {
  const { account } = useTexts()
  const names = [
    ...[account.profile, account.security, account.access],
    ...[account.messages, account.data],
  ]
  return (
    <Page title={title}>
      <nav className="hscroll links-row" aria-label={account.pages}>
        {PAGES.map((to, index) => (
          <Link
            key={to}
            to={to}
            activeOptions={{ exact: true, includeSearch: false }}
            activeProps={{ className: 'active', 'aria-current': 'page' }}
          >
            {names[index]}
          </Link>
        ))}
      </nav>
      <div className="stack s24 form-page">{children}</div>
    </Page>
  )
}
