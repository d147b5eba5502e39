import { useQuery } from '@tanstack/react-query'
import { Outlet, useRouterState } from '@tanstack/react-router'
import { lazy, Suspense, useCallback, useState } from 'react'
import { boot } from '../api/boot.ts'
import { me, services, summary } from '../api/reads.ts'
import { serviceTone } from '../areas/services/index.ts'
import { useTexts } from '../texts/index.tsx'
import { Dot, I, type Icon, Link } from '../ui/index.ts'
import { AccountMenu } from './account-menu.tsx'
import { Bell, Brand, Frame, Jump } from './frame.tsx'
import { useKeys } from './keys.ts'
import { ViewedBar } from './viewed-bar.tsx'

const Palette = lazy(async () => ({ default: (await import('./palette.tsx')).Palette }))
/** The side bar lists up to this many services by name; the rest are only on their page. */
const SHOWN_SERVICES = 6

/** The frame of the customer area: navigation, search and the account menu. */
export function Shell() {
  const [palette, setPalette] = useState(0)
  const openPalette = useCallback(() => setPalette((count) => count + 1), [])
  useKeys(openPalette)
  return (
    <>
      <Frame
        side={<SideBar openPalette={openPalette} />}
        top={
          <>
            <ViewedBar />
            <TopBar />
          </>
        }
        tabs={<TabBar openPalette={openPalette} />}
      >
        <Outlet />
        <Foot />
      </Frame>
      {palette > 0 ? (
        <Suspense>
          <Palette opened={palette} />
        </Suspense>
      ) : null}
    </>
  )
}

/** The links in the footer of the shop, and its support address. */
function Foot() {
  const { links, supportAddress, legalFooter } = boot
  if (links.length === 0 && !supportAddress && !legalFooter) return null
  return (
    <div className="own-foot sub">
      {links.map(({ label, url }) => (
        <a key={url} href={url} rel="noopener">
          {label}
        </a>
      ))}
      {supportAddress ? <a href={`mailto:${supportAddress}`}>{supportAddress}</a> : null}
      {legalFooter ? <span>{legalFooter}</span> : null}
    </div>
  )
}

type ItemProps = {
  readonly to:
    | '/home'
    | '/orders'
    | '/invoices'
    | '/payment'
    | '/servers'
    | '/invite-friends'
    | '/tickets'
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
      <Brand to="/home" />
      <Jump openPalette={openPalette} />
      <nav aria-label={navigation.main} className="nav">
        <Item to="/home" label={navigation.home} icon={I.Home} />
        <Item to="/invoices" label={navigation.invoices} icon={I.FileInvoice} count={overdue} />
        <Item to="/orders" label={navigation.orders} icon={I.ShoppingCart} />
        <Item to="/payment" label={navigation.payment} icon={I.CreditCard} />
        <Item to="/invite-friends" label={navigation.inviteFriends} icon={I.Gift} />
        <Item to="/tickets" label={navigation.help} icon={I.Lifebuoy} />
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

function TopBar() {
  const { navigation } = useTexts()
  return (
    <section className="topbar" aria-label={navigation.bar}>
      <div className="sm-only">
        <Brand to="/home" />
      </div>
      <nav aria-label={navigation.trail} className="grow sm-gone">
        <Trail />
      </nav>
      <div className="row push">
        <StaffLink />
        <Bell to="/notifications" />
        <span className="sm-only">
          <AccountMenu compact />
        </span>
      </div>
    </section>
  )
}

/** The link of staff back to the administration: a full page load, which loads its routes. */
function StaffLink() {
  const { navigation } = useTexts()
  const person = useQuery(me).data
  if (!person || person.permissions.length === 0 || person.impersonation) return null
  return (
    <a href="/admin" className="out">
      {navigation.administration}
    </a>
  )
}

/** The lists whose objects have screens of their own. */
const LISTS = { servers: '/servers', invoices: '/invoices', tickets: '/tickets' } as const

/** The breadcrumbs: the last one is this screen. */
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
    tickets: navigation.help,
  }
  const name = names[first]
  const inner = first === 'servers' ? list?.find(({ id }) => id === second)?.name : undefined
  const above = first in LISTS ? LISTS[first as keyof typeof LISTS] : null
  const ones: Readonly<Record<string, string>> = {
    invoices: billing.invoice,
    tickets: navigation.ticket,
  }
  const here = above && second ? (inner ?? ones[first] ?? '…') : name
  return (
    <ol className="crumbs">
      {above && second ? (
        <li>
          <Link to={above}>{name}</Link>
          <I.ChevronRight size={14} stroke={1.75} aria-hidden />
        </li>
      ) : null}
      <li>
        <span aria-current="page">{here}</span>
      </li>
    </ol>
  )
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
