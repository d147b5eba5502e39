import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useTexts } from '../../texts/index.tsx'
import {
  Button,
  Emblem,
  I,
  IconAction,
  LazyMenu,
  Link,
  LinkButton,
  Loaded,
  Page,
  useFormats,
  useOnceOpened,
} from '../../ui/index.ts'
import type { Question } from './dialogs.tsx'
import { useLive } from './live.ts'
import { Power } from './power.tsx'
import { type Live, type ServiceDetails, service } from './reads.ts'
import { ServiceTag } from './status.tsx'

const ServiceDialogs = lazy(async () => ({
  default: (await import('./dialogs.tsx')).ServiceDialogs,
}))

type Inner = { readonly service: ServiceDetails; readonly live: Live | undefined }

/** The common frame of the pages of a server: its name, its state, power buttons, and links to the other pages. */
export function ServiceFrame({ children }: { children: (inner: Inner) => ReactNode }) {
  const { id = '' } = useParams({ strict: false })
  const query = useQuery({
    ...service(id),
    // Until it runs, the page follows the set-up.
    refetchInterval: ({ state }) => (isMoving(state.data?.status) ? 2000 : false),
  })
  const hasServer = query.data?.delivery === 'server'
  const live = useLive(id, hasServer && query.data?.status === 'active')
  return (
    <div className="service">
      <Loaded isScreen query={query}>
        {(found) => (
          <Page title={found.name} head={<Head service={found} live={live} />}>
            <Tabs service={found} />
            {children({ service: found, live })}
          </Page>
        )}
      </Loaded>
    </div>
  )
}

function isMoving(status: ServiceDetails['status'] | undefined): boolean {
  return status === 'pending' || status === 'provisioning'
}

function Head({ service, live }: Inner) {
  const { services, common, tickets } = useTexts()
  const { uptime } = useFormats()
  const { name, product, game, panel, status, permissions } = service
  const hasServer = service.delivery === 'server'
  const maySet = hasServer && (service.role === 'owner' || permissions.includes('settings'))
  const state = live?.available ? live.state : null
  const runs = live?.available && live.state === 'running'
  const parts = [product.name, game, runs ? services.uptime(uptime(live.uptimeMs)) : null]
  const [asking, ask] = useState<Question | null>(null)
  const wasAsked = useOnceOpened(asking !== null)
  const isOwner = service.role === 'owner'
  return (
    <header className="hero-serv">
      <Emblem name={product.name} size={56} />
      <div className="grow least">
        <div className="row gap12 wrap">
          <h1>{name}</h1>
          <span aria-live="polite">
            <ServiceTag status={status} power={state} />
          </span>
        </div>
        <div className="sub">{parts.filter(Boolean).join(' · ')}</div>
      </div>
      {status === 'active' ? (
        <div className="row wrap power">
          {hasServer && permissions.includes('power') ? (
            <Power service={service} live={live} />
          ) : null}
          {panel ? (
            <Button
              component="a"
              href={panel.signOnUrl ?? panel.url}
              target="_blank"
              rel="noreferrer"
              rightSection={<I.ArrowUpRight size={16} aria-hidden />}
            >
              {services.openPanel}
            </Button>
          ) : null}
          {isOwner || maySet ? (
            <LazyMenu
              load={async () => (await import('./menu.tsx')).ServiceMenu}
              inner={{ service, ask }}
              target={<IconAction label={common.more} icon={I.Dots} variant="default" size={36} />}
            />
          ) : null}
        </div>
      ) : null}
      <LinkButton
        to="/tickets"
        search={{ service: service.id }}
        variant="default"
        leftSection={<I.Lifebuoy size={16} aria-hidden />}
      >
        {tickets.ask}
      </LinkButton>
      {wasAsked ? (
        <Suspense>
          <ServiceDialogs service={service} asking={asking} close={() => ask(null)} />
        </Suspense>
      ) : null}
    </header>
  )
}

/** The pages of a server; pages that a role may not use are not shown. */
function Tabs({ service: { id, role, permissions, delivery } }: { service: ServiceDetails }) {
  const { services } = useTexts()
  const isOwner = role === 'owner'
  const hasServer = delivery === 'server'
  const maySet = hasServer && (isOwner || permissions.includes('settings'))
  const tabs = [
    ['/servers/$id', services.tabs.overview, true],
    ['/servers/$id/activity', services.tabs.activity, isOwner && hasServer],
    ['/servers/$id/startup', services.tabs.startup, maySet],
    ['/servers/$id/people', services.tabs.people, isOwner && hasServer],
    ['/servers/$id/plan', services.tabs.plan, isOwner],
  ] as const
  return (
    <nav className="hscroll links-row" aria-label={services.tabs.overview}>
      {tabs
        .filter(([, , isShown]) => isShown)
        .map(([to, label]) => (
          <Link
            key={to}
            to={to}
            params={{ id }}
            activeOptions={{ exact: true, includeSearch: false }}
            activeProps={{ className: 'active', 'aria-current': 'page' }}
          >
            {label}
          </Link>
        ))}
    </nav>
  )
}
