import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useAction } from '../../api/actions.ts'
import { client } from '../../api/client.ts'
import { useTexts } from '../../texts/index.tsx'
import {
  Button,
  Emblem,
  I,
  IconAction,
  Link,
  Loaded,
  Menu,
  Modal,
  Page,
  refused,
  TextInput,
  told,
  useFormats,
} from '../../ui/index.ts'
import { useLive } from './live.ts'
import { PanelPassword } from './panel-password.tsx'
import { Power } from './power.tsx'
import { type Live, type ServiceDetails, service } from './reads.ts'
import { ServiceTag } from './status.tsx'

type Inner = { readonly service: ServiceDetails; readonly live: Live | undefined }

/** What all pages of one server have: its name, whether it runs, power, and the way to the others. */
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
      <Loaded query={query}>
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
  const { services, common } = useTexts()
  const { uptime } = useFormats()
  const { name, product, game, panel, status, permissions } = service
  const hasServer = service.delivery === 'server'
  const maySet = hasServer && (service.role === 'owner' || permissions.includes('settings'))
  const state = live?.available ? live.state : null
  const runs = live?.available && live.state === 'running'
  const parts = [product.name, game, runs ? services.uptime(uptime(live.uptimeMs)) : null]
  const [asking, ask] = useState<'name' | 'reinstall' | 'password' | null>(null)
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
            <Menu width={220}>
              <Menu.Target>
                <IconAction label={common.more} icon={I.Dots} variant="default" size={36} />
              </Menu.Target>
              <Menu.Dropdown>
                {isOwner ? (
                  <Menu.Item
                    leftSection={<I.Settings size={16} aria-hidden />}
                    onClick={() => ask('name')}
                  >
                    {services.rename}
                  </Menu.Item>
                ) : null}
                {isOwner && panel?.signOn === 'link' ? (
                  <Menu.Item
                    leftSection={<I.Key size={16} aria-hidden />}
                    onClick={() => ask('password')}
                  >
                    {services.panelPassword}
                  </Menu.Item>
                ) : null}
                {maySet ? (
                  <Menu.Item
                    leftSection={<I.RotateClockwise size={16} aria-hidden />}
                    onClick={() => ask('reinstall')}
                  >
                    {services.reinstall}
                  </Menu.Item>
                ) : null}
              </Menu.Dropdown>
            </Menu>
          ) : null}
        </div>
      ) : null}
      <Rename service={service} opened={asking === 'name'} close={() => ask(null)} />
      <PanelPassword id={service.id} opened={asking === 'password'} close={() => ask(null)} />
      <Reinstall service={service} opened={asking === 'reinstall'} close={() => ask(null)} />
    </header>
  )
}

type DialogProps = {
  readonly service: ServiceDetails
  readonly opened: boolean
  readonly close: () => void
}

function Rename({ service: { id, name }, opened, close }: DialogProps) {
  const { services, common } = useTexts()
  const [text, setText] = useState(name)
  const rename = useAction(
    (wanted: string) =>
      client.PATCH('/v1/services/{id}', { params: { path: { id } }, body: { name: wanted } }),
    {
      changes: [['service', id], ['services']],
      done: () => {
        told(common.saved)
        close()
      },
    },
  )
  return (
    <Modal opened={opened} onClose={close} title={services.rename}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          rename.mutate(text.trim())
        }}
      >
        <TextInput
          label={services.newName}
          value={text}
          maxLength={191}
          required
          data-autofocus
          error={rename.error?.message}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <div className="row ends">
          <Button variant="default" onClick={close}>
            {common.cancel}
          </Button>
          <Button type="submit" loading={rename.isPending}>
            {common.save}
          </Button>
        </div>
      </form>
    </Modal>
  )
}

function Reinstall({ service: { id, name }, opened, close }: DialogProps) {
  const { services, common } = useTexts()
  const reinstall = useAction(
    (_: null, intent) =>
      client.POST('/v1/services/{id}/reinstall', { params: { path: { id } }, ...intent }),
    {
      changes: [['service', id]],
      done: () => {
        told(services.reinstalling, name)
        close()
      },
      failed: (error) => refused(common.refused, error.message),
    },
  )
  return (
    <Modal opened={opened} onClose={close} title={services.reinstallTitle(name)}>
      <p className="dim">{services.reinstallText}</p>
      <div className="row ends">
        <Button variant="default" onClick={close} data-autofocus>
          {common.cancel}
        </Button>
        <Button color="red" loading={reinstall.isPending} onClick={() => reinstall.mutate(null)}>
          {services.reinstall}
        </Button>
      </div>
    </Modal>
  )
}

/** The pages of a server; what a role may not do is not shown. */
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
