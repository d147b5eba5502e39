import { DESK_LOCALES } from '@moorage/languages'
import { useQuery } from '@tanstack/react-query'
import { Outlet, useLoaderData, useMatches, useRouterState } from '@tanstack/react-router'
import { lazy, Suspense, useCallback, useState } from 'react'
import { boot } from '../../api/boot.ts'
import { useMay } from '../../api/permissions.ts'
import { me } from '../../api/reads.ts'
import { loadAdminTexts, SpeakingAdmin, useAdminTexts } from '../../texts/admin.tsx'
import { useTexts } from '../../texts/index.tsx'
import { Empty, Failed, I, Link, Loading, Page, usePageTitle } from '../../ui/index.ts'
import { AccountMenu } from '../account-menu.tsx'
import { Bell, Brand, Frame, Jump } from '../frame.tsx'
import { useKeys } from '../keys.ts'
import { GROUPS, NAVIGATION, type NavigationItem } from './navigation.ts'

const Palette = lazy(async () => {
  const [found] = await Promise.all([
    import('./palette.tsx'),
    loadAdminTexts(boot.locale, ['palette']),
  ])
  return { default: found.AdminPalette }
})
/** The bottom bar on phones; its fourth entry is the search. */
const AT_THE_BOTTOM = 3

/** The frame of the administration. It shows only the pages that a role may open. */
export function AdminShell() {
  const texts = useLoaderData({ from: '/admin' })
  const person = useQuery(me)
  return (
    <SpeakingAdmin texts={texts}>
      {person.data ? (
        <Around />
      ) : person.error ? (
        <Failed error={person.error} again={() => void person.refetch()} />
      ) : (
        <Loading />
      )}
    </SpeakingAdmin>
  )
}

function Around() {
  const [palette, setPalette] = useState(0)
  const openPalette = useCallback(() => setPalette((count) => count + 1), [])
  const items = useNavigationItems()
  const keys = Object.fromEntries(items.flatMap(({ key, to }) => (key ? [[key, to]] : [])))
  useKeys(openPalette, keys)
  return (
    <>
      <Frame
        side={<SideBar items={items} openPalette={openPalette} />}
        top={<TopBar items={items} />}
        tabs={<TabBar items={items} openPalette={openPalette} />}
        goLive={<GoLive />}
      >
        <Permitted />
      </Frame>
      {palette > 0 ? (
        <Suspense>
          <Palette opened={palette} items={items} />
        </Suspense>
      ) : null}
    </>
  )
}

function GoLive() {
  const { shell } = useAdminTexts()
  const may = useMay()
  if (!may('gateways:read')) return null
  return <Link to="/admin/gateways">{shell.goLive}</Link>
}

/** The pages that the person may open, by their permissions. */
function useNavigationItems(): readonly NavigationItem[] {
  const may = useMay()
  const all = NAVIGATION
  const open = all.filter(({ permissions: wanted }) => wanted.length === 0 || wanted.some(may))
  return GROUPS.flatMap((group) => open.filter((item) => item.group === group))
}

/** The screen, or a notice if the person lacks its permissions: the API is then not called. */
function Permitted() {
  const { shell } = useAdminTexts()
  const may = useMay()
  const wanted = useMatches().at(-1)?.staticData.permissions ?? []
  if (wanted.length === 0 || wanted.some(may)) return <Outlet />
  return (
    <Page title={shell.notAllowed}>
      <Empty icon={I.Lock} title={shell.notAllowed}>
        {shell.notAllowedText(wanted.join(', '))}
      </Empty>
    </Page>
  )
}

type BarProps = { readonly items: readonly NavigationItem[] }
type JumpingProps = BarProps & { readonly openPalette: () => void }

function SideBar({ items, openPalette }: JumpingProps) {
  const { shell } = useAdminTexts()
  const { navigation } = useTexts()
  return (
    <aside className="side" aria-label={boot.shop}>
      <Brand to="/admin" tag={shell.tag} />
      <Jump openPalette={openPalette} />
      <nav aria-label={navigation.main} className="nav">
        {GROUPS.map((group) => {
          const own = items.filter((item) => item.group === group)
          if (own.length === 0) return null
          return (
            <div key={group} className="nav">
              {group === 'start' ? null : <h2 className="nav-group">{shell[group]}</h2>}
              {own.map((item) => (
                <Item key={item.to} item={item} />
              ))}
            </div>
          )
        })}
      </nav>
      <div className="side-foot">
        <AccountMenu languages={DESK_LOCALES} />
      </div>
    </aside>
  )
}

function Item({ item: { to, label, icon: Art, exact = false } }: { item: NavigationItem }) {
  const { shell } = useAdminTexts()
  return (
    <Link
      to={to}
      activeOptions={{ includeSearch: false, exact }}
      activeProps={{ className: 'active', 'aria-current': 'page' }}
    >
      <Art className="icon" size={17} stroke={1.75} aria-hidden />
      {shell[label]}
    </Link>
  )
}

function TopBar({ items }: BarProps) {
  const { shell } = useAdminTexts()
  const { navigation } = useTexts()
  return (
    <section className="topbar" aria-label={navigation.bar}>
      <div className="sm-only">
        <Brand to="/admin" tag={shell.tag} />
      </div>
      <nav aria-label={navigation.trail} className="grow sm-gone">
        <Trail items={items} />
      </nav>
      <div className="row push">
        <a className="out sm-gone" href="/">
          {shell.shop}
          <I.ArrowUpRight size={15} stroke={1.75} aria-hidden />
        </a>
        <Bell to="/admin/notifications" />
        <span className="sm-only">
          <AccountMenu compact languages={DESK_LOCALES} />
        </span>
      </div>
    </section>
  )
}

/** The breadcrumbs: the list, if the screen shows one of its entries, and the title of the screen. */
function Trail({ items }: BarProps) {
  const { shell } = useAdminTexts()
  const path = useRouterState({ select: (state) => state.location.pathname })
  const title = usePageTitle()
  const above = items.find(({ to, exact }) => !exact && path.startsWith(`${to}/`))
  return (
    <ol className="crumbs">
      {above ? (
        <li>
          <Link to={above.to}>{shell[above.label]}</Link>
          <I.ChevronRight size={14} stroke={1.75} aria-hidden />
        </li>
      ) : null}
      <li>
        <span aria-current="page">{title}</span>
      </li>
    </ol>
  )
}

function TabBar({ items, openPalette }: JumpingProps) {
  const { shell } = useAdminTexts()
  const { navigation } = useTexts()
  return (
    <nav className="tabbar" aria-label={navigation.main}>
      {items.slice(0, AT_THE_BOTTOM).map(({ to, label, icon: Art, exact = false }) => (
        <Link
          key={to}
          to={to}
          activeOptions={{ includeSearch: false, exact }}
          activeProps={{ className: 'active', 'aria-current': 'page' }}
        >
          <Art size={20} stroke={1.75} aria-hidden />
          {shell[label]}
        </Link>
      ))}
      <button type="button" onClick={openPalette}>
        <I.Search size={20} stroke={1.75} aria-hidden />
        {navigation.search}
      </button>
    </nav>
  )
}
