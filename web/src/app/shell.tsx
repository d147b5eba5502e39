import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Outlet, useRouterState } from '@tanstack/react-router'
import { lazy, Suspense, useCallback, useEffect, useRef, useState } from 'react'
import { boot } from '../api/boot.ts'
import { me, services, summary, unread } from '../api/reads.ts'
import { signOut } from '../api/session.ts'
import { serviceTone } from '../areas/services/index.ts'
import { useLocale, useTexts } from '../texts/index.tsx'
import { Avatar, Dot, I, type Icon, Link, Menu, useScheme } from '../ui/index.ts'
import { useKeys } from './keys.ts'
import { followEvents } from './live.ts'

const Palette = lazy(async () => ({ default: (await import('./palette.tsx')).Palette }))
/** Services by name in the side bar; from there on there is a page of them. */
const SHOWN_SERVICES = 6

/** What stands around every screen: navigation, search, the way to one's account. */
export function Shell() {
  const { common } = useTexts()
  const path = useRouterState({ select: (state) => state.location.pathname })
  const isFirst = useRef(true)
  const [palette, setPalette] = useState(0)
  const openPalette = useCallback(() => setPalette((count) => count + 1), [])
  const queries = useQueryClient()
  useKeys(openPalette)
  useEffect(() => followEvents(queries), [queries])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the focus moves whenever the path changes.
  useEffect(() => {
    // After a change of screen the focus goes to it. Not at the start: there it belongs to the skip link.
    if (isFirst.current) isFirst.current = false
    else document.querySelector<HTMLElement>('#main')?.focus({ preventScroll: true })
  }, [path])
  return (
    <>
      <a className="skip" href="#main">
        {common.skip}
      </a>
      <div className="shell">
        <SideBar openPalette={openPalette} />
        <div className="panel">
          <TopBar />
          <Connection />
          <main id="main" tabIndex={-1} className="grow">
            <Outlet />
          </main>
        </div>
        <TabBar openPalette={openPalette} />
      </div>
      {palette > 0 ? (
        <Suspense>
          <Palette opened={palette} />
        </Suspense>
      ) : null}
    </>
  )
}

function Brand() {
  return (
    <Link to="/home" className="brand">
      {boot.logoUrl ? (
        <img src={boot.logoUrl} alt="" height={26} />
      ) : (
        <span aria-hidden className="sign">
          {[...boot.shop][0]?.toUpperCase()}
        </span>
      )}
      <span className="cut">{boot.shop}</span>
    </Link>
  )
}

type ItemProps = {
  readonly to: '/home' | '/orders' | '/invoices' | '/payment' | '/servers' | '/invite-friends'
  readonly label: string
  readonly icon: Icon
  readonly count?: number | undefined
}

function Item({ to, label, icon: Art, count = 0 }: ItemProps) {
  return (
    <Link
      to={to}
      activeOptions={{ includeSearch: false }}
      activeProps={{ className: 'active', 'aria-current': 'page' }}
    >
      <Art className="icon" size={17} stroke={1.75} aria-hidden />
      {label}
      {count > 0 ? <span className="count">{count}</span> : null}
    </Link>
  )
}

function SideBar({ openPalette }: { openPalette: () => void }) {
  const { navigation } = useTexts()
  const overdue = useQuery(summary).data?.overdue
  return (
    <aside className="side" aria-label={boot.shop}>
      <Brand />
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
      <nav aria-label={navigation.main} className="nav">
        <Item to="/home" label={navigation.home} icon={I.Home} />
        <Item to="/invoices" label={navigation.invoices} icon={I.FileInvoice} count={overdue} />
        <Item to="/orders" label={navigation.orders} icon={I.ShoppingCart} />
        <Item to="/payment" label={navigation.payment} icon={I.CreditCard} />
        <Item to="/invite-friends" label={navigation.inviteFriends} icon={I.Gift} />
        <h2 className="nav-group">{navigation.servers}</h2>
        <ServiceLinks />
        <a href="/">
          <I.Plus className="icon" size={17} stroke={1.75} aria-hidden />
          {navigation.newServer}
        </a>
      </nav>
      <div className="side-foot">
        <AccountMenu />
      </div>
    </aside>
  )
}

function ServiceLinks() {
  const texts = useTexts()
  const living = (useQuery(services).data?.data ?? []).filter(({ status }) => status !== 'ended')
  return (
    <>
      {living.slice(0, SHOWN_SERVICES).map((service) => {
        const { tone, text } = serviceTone(service.status, null, texts)
        return (
          <Link
            key={service.id}
            to="/servers/$id"
            params={{ id: service.id }}
            activeProps={{ className: 'active', 'aria-current': 'page' }}
          >
            <span className="icon place">
              <Dot tone={tone} pulse={tone === 'waiting'} />
            </span>
            <span className="cut">{service.name}</span>
            <span className="sr">{text}</span>
          </Link>
        )
      })}
      {living.length > SHOWN_SERVICES ? (
        <Item to="/servers" label={texts.navigation.allServers} icon={I.Server2} />
      ) : null}
    </>
  )
}

function AccountMenu({ compact = false }: { compact?: boolean }) {
  const { navigation } = useTexts()
  const locale = useLocale()
  const person = useQuery(me).data
  const { isDark, toggle } = useScheme()
  const other = locale === 'fr' ? 'en' : 'fr'
  const items = [
    ['/account', navigation.profile, I.UserCircle],
    ['/account/security', navigation.security, I.ShieldLock],
    ['/account/access', navigation.access, I.Key],
    ['/account/messages', navigation.messages, I.Bell],
    ['/account/data', navigation.data, I.Download],
  ] as const
  const name = person?.name ?? ''
  return (
    <Menu width={240} position={compact ? 'bottom-end' : 'top-start'}>
      <Menu.Target>
        <button type="button" className={compact ? 'me compact' : 'me'}>
          <Avatar name={name} />
          {compact ? (
            <span className="sr">{navigation.accountOf(name)}</span>
          ) : (
            <>
              <span className="sr">{navigation.account}: </span>
              <span className="grow cut">
                <span className="strong name cut">{name}</span>
                <span className="sub cut name">{person?.email}</span>
              </span>
              <I.ChevronDown size={16} stroke={1.75} aria-hidden className="icon dim" />
            </>
          )}
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        {items.map(([to, label, Art]) => (
          <Menu.Item key={to} component={Link} to={to} leftSection={<Art size={16} aria-hidden />}>
            {label}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item
          leftSection={isDark ? <I.Sun size={16} aria-hidden /> : <I.Moon size={16} aria-hidden />}
          closeMenuOnClick={false}
          onClick={toggle}
        >
          {isDark ? navigation.light : navigation.dark}
        </Menu.Item>
        <Menu.Item
          leftSection={<I.World size={16} aria-hidden />}
          component="a"
          href={`?lang=${other}`}
          lang={other}
        >
          {locale === 'fr' ? 'English' : 'Français'}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item leftSection={<I.LogOut size={16} aria-hidden />} onClick={() => void signOut()}>
          {navigation.signOut}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

function TopBar() {
  const { navigation } = useTexts()
  const count = useQuery(unread).data?.count ?? 0
  const label = count > 0 ? navigation.unread(count) : navigation.notifications
  return (
    <section className="topbar" aria-label={navigation.bar}>
      <div className="sm-only">
        <Brand />
      </div>
      <nav aria-label={navigation.trail} className="grow sm-gone">
        <Trail />
      </nav>
      <div className="row push">
        <Link to="/notifications" className="bell" aria-label={label} title={label}>
          <I.Bell size={18} stroke={1.75} aria-hidden />
          {count > 0 ? <i aria-hidden /> : null}
        </Link>
        <span className="sm-only">
          <AccountMenu compact />
        </span>
      </div>
    </section>
  )
}

/** Where one is: the last part is this screen. */
function Trail() {
  const { navigation, billing } = useTexts()
  const path = useRouterState({ select: (state) => state.location.pathname })
  const list = useQuery(services).data?.data
  const [, first = '', second] = path.split('/')
  const names: Readonly<Record<string, string>> = {
    home: navigation.home,
    servers: navigation.servers,
    orders: navigation.orders,
    invoices: navigation.invoices,
    payment: navigation.payment,
    notifications: navigation.notifications,
    account: navigation.account,
    'invite-friends': navigation.inviteFriends,
  }
  const name = names[first]
  const inner = first === 'servers' ? list?.find(({ id }) => id === second)?.name : undefined
  const isList = first === 'servers' || first === 'invoices'
  const here = isList && second ? (inner ?? (first === 'invoices' ? billing.invoice : '…')) : name
  return (
    <ol className="crumbs">
      {isList && second ? (
        <li>
          <Link to={first === 'servers' ? '/servers' : '/invoices'}>{name}</Link>
          <I.ChevronRight size={14} stroke={1.75} aria-hidden />
        </li>
      ) : null}
      <li>
        <span aria-current="page">{here}</span>
      </li>
    </ol>
  )
}

/** Says that the browser is offline, until it is not. */
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

function TabBar({ openPalette }: { openPalette: () => void }) {
  const { navigation } = useTexts()
  const active = { activeProps: { className: 'active', 'aria-current': 'page' as const } }
  return (
    <nav className="tabbar" aria-label={navigation.main}>
      <Link to="/home" {...active}>
        <I.Home size={20} stroke={1.75} aria-hidden />
        {navigation.home}
      </Link>
      <Link to="/servers" {...active}>
        <I.Server2 size={20} stroke={1.75} aria-hidden />
        {navigation.servers}
      </Link>
      <Link to="/invoices" {...active}>
        <I.FileInvoice size={20} stroke={1.75} aria-hidden />
        {navigation.invoices}
      </Link>
      <button type="button" onClick={openPalette}>
        <I.Search size={20} stroke={1.75} aria-hidden />
        {navigation.search}
      </button>
    </nav>
  )
}
