import type { components } from '@moorage/client'
import { useMayOpen } from '../../../api/screens.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import { Drawer, Facts, InnerLink, Table, useFormats } from '../../../ui/index.ts'

export type Entry = components['schemas']['AuditEntry']
type Change = Entry['changes'][number]
type Kind = NonNullable<Entry['object']>['kind']

/** The screen of each kind of object: with the id, or the list that contains it. */
const SCREENS: Readonly<Record<Kind, (id: string) => string>> = {
  user: (id) => `/admin/people/${id}`,
  role: () => '/admin/roles',
  group: () => '/admin/roles',
  panel: (id) => `/admin/panels/${id}`,
  egg: (id) => `/admin/eggs/${id}`,
  location: () => '/admin/locations',
  option_group: () => '/admin/options',
  option: () => '/admin/options',
  category: () => '/admin/products',
  product: (id) => `/admin/products/${id}`,
  plan: () => '/admin/products',
  coupon: () => '/admin/coupons',
  tax_rate: () => '/admin/tax-rates',
  invoice: (id) => `/admin/invoices/${id}`,
  credit_note: () => '/admin/invoices?view=credit-notes',
  payment: (id) => `/admin/payments/${id}`,
  gateway: () => '/admin/gateways',
  service: (id) => `/admin/servers/${id}`,
  order: (id) => `/admin/orders/${id}`,
  affiliate: (id) => `/admin/affiliates/${id}`,
  oauth_client: () => '/admin/integrations',
  webhook_endpoint: (id) => `/admin/integrations/${id}`,
  bot_token: () => '/admin/integrations',
  ticket: (id) => `/admin/tickets/${id}`,
  article: (id) => `/admin/help/${id}`,
  article_category: () => '/admin/help',
  import: (id) => `/admin/imports/${id}`,
}

/** The object of an entry: its kind and name as a link, or the beginning of its id. */
export function ObjectOf({ entry: { object, objectId } }: { entry: Entry }) {
  const { system: texts } = useAdminTexts()
  const mayOpen = useMayOpen()
  if (!objectId) return <>–</>
  if (!object) return <span className="mono">{objectId.slice(0, 8)}</span>
  const name = `${texts.kinds[object.kind]} ${object.name}`.trim()
  const href = SCREENS[object.kind](objectId)
  return mayOpen(href) ? <InnerLink href={href}>{name}</InnerLink> : name
}

/** The actor of an entry, and who acted as them; `linked` makes the actor a link. */
export function ActorOf({ entry, linked = false }: { entry: Entry; linked?: boolean }) {
  const { system: texts } = useAdminTexts()
  const mayOpen = useMayOpen()
  const { actorId, actorName, actorKind, impersonatorId, impersonatorName } = entry
  if (!actorId) return <>{actorKind ?? texts.unknownActor}</>
  const href = `/admin/people/${actorId}`
  const shown = actorName ?? texts.deletedPerson(actorId.slice(0, 8))
  return (
    <>
      {actorName && linked && mayOpen(href) ? <InnerLink href={href}>{shown}</InnerLink> : shown}
      {impersonatorId ? (
        <span className="dim">
          {' '}
          {texts.actedBy(impersonatorName ?? texts.deletedPerson(impersonatorId.slice(0, 8)))}
        </span>
      ) : null}
    </>
  )
}

/** One entry with all its details, and what it changed. */
export function AuditEntryDrawer({ entry, close }: { entry: Entry | null; close: () => void }) {
  const { system: texts } = useAdminTexts()
  const { moment } = useFormats()
  return (
    <Drawer opened={entry !== null} onClose={close} position="right" size="lg" title={texts.entry}>
      {entry ? (
        <div className="stack s24">
          <Facts
            left
            rows={[
              [texts.time, moment(entry.createdAt)],
              [texts.who, <ActorOf key="who" entry={entry} linked />],
              [texts.object, <ObjectOf key="object" entry={entry} />],
              [
                texts.what,
                <span key="what" className="mono">
                  {entry.method} {entry.route}
                </span>,
              ],
              [texts.result, String(entry.statusCode ?? texts.running)],
              [texts.address, entry.address ?? '–'],
              [
                texts.request,
                <span key="request" className="mono">
                  {entry.requestId}
                </span>,
              ],
            ]}
          />
          <section aria-label={texts.changes} className="stack">
            <h3>{texts.changes}</h3>
            {entry.changes.length > 0 ? (
              <Changes rows={entry.changes} />
            ) : (
              <p className="dim">{texts.noChanges}</p>
            )}
          </section>
          {entry.objectId ? (
            <InnerLink href={`/admin/audit?objectId=${entry.objectId}`}>
              {texts.allOfObject}
            </InnerLink>
          ) : null}
        </div>
      ) : null}
    </Drawer>
  )
}

function Changes({ rows }: { rows: readonly Change[] }) {
  const { system: texts } = useAdminTexts()
  return (
    <Table
      caption={texts.changes}
      rows={rows}
      rowKey={({ path }) => path}
      columns={[
        { head: texts.field, cell: ({ path }) => <span className="mono">{path}</span> },
        {
          ...{ head: texts.before, small: 'sub' },
          cell: ({ path, before }) => <Value path={path} value={before} />,
        },
        {
          ...{ head: texts.after, small: 'sub' },
          cell: ({ path, after }) => <Value path={path} value={after} />,
        },
      ]}
    />
  )
}

/** A value of a field in words: instants as dates, lists and objects as JSON. */
function Value({ path, value }: { path: string; value: unknown }) {
  const { system: texts } = useAdminTexts()
  const { moment } = useFormats()
  if (value === null || value === undefined || value === '') return <>–</>
  if (typeof value === 'boolean') return <>{value ? texts.yes : texts.no}</>
  if (typeof value === 'string' && path.endsWith('At')) return <>{moment(value)}</>
  if (typeof value === 'string' || typeof value === 'number') {
    return <span className="typed">{value}</span>
  }
  return <span className="mono typed">{JSON.stringify(value)}</span>
}
