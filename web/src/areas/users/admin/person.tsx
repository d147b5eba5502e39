import { languageName } from '@moorage/languages'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { person } from '../../../api/admin-reads.ts'
import { useMay } from '../../../api/permissions.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import { useTexts } from '../../../texts/index.tsx'
import {
  Avatar,
  Button,
  Card,
  Copy,
  Emblem,
  Facts,
  I,
  Link,
  LinkButton,
  Loaded,
  MoreMenu,
  Page,
  useFormats,
  useOnceOpened,
} from '../../../ui/index.ts'
import { ReferralCard } from '../../affiliation/admin/index.ts'
import { InvoiceTag } from '../../billing/index.ts'
import { Presence } from '../../desk/index.ts'
import { ServiceTag } from '../../services/index.ts'
import { AccessCard } from './access.tsx'
import { AllowanceCard } from './allowance.tsx'
import { CreditCard, MethodsCard } from './credit.tsx'
import { ImportedFacts } from './facts.tsx'
import { Notes } from './notes.tsx'
import { accountOf, invoicesOf, type Person, servicesOf } from './reads.ts'
import { PersonTag } from './status.tsx'
import { PersonTimeline } from './timeline.tsx'

// Most visits of a person change nothing.
const actions = () => import('./actions.tsx')
const ViewAs = lazy(async () => ({ default: (await actions()).ViewAs }))
const GiveCredit = lazy(async () => ({ default: (await actions()).GiveCredit }))
const Suspend = lazy(async () => ({ default: (await actions()).Suspend }))
const EditPerson = lazy(async () => ({ default: (await actions()).EditPerson }))
const NewTicket = lazy(async () => ({
  default: (await import('../../support/admin/new-ticket.tsx')).NewTicket,
}))
const NewOrder = lazy(async () => ({ default: (await import('./new/order.tsx')).NewOrder }))
const SendMail = lazy(async () => ({ default: (await import('./new/mail.tsx')).SendMail }))
// Only customers of another system have any: with it, the page exceeds the weight of a screen.
const ImportedMoney = lazy(async () => ({
  default: (await import('./imported-money.tsx')).ImportedMoney,
}))

/** One person: servers, invoices, balance, timeline and actions. */
export function PersonPage() {
  const { id = '' } = useParams({ strict: false })
  return (
    <div className="service">
      <Loaded isScreen query={useQuery(person(id))}>
        {(found) => <Found person={found} />}
      </Loaded>
    </div>
  )
}

function Found({ person: found }: { person: Person }) {
  const may = useMay()
  return (
    <Page wide title={found.name} head={<Head person={found} />}>
      <div className="grid split">
        <div className="stack">
          {may('services:read') ? <Services userId={found.id} /> : null}
          {may('invoices:read') ? <Invoices userId={found.id} /> : null}
          <PersonTimeline userId={found.id} />
        </div>
        <div className="stack">
          <Notes about="users" id={found.id} />
          <ImportedFacts userId={found.id} />
          <Suspense>
            <ImportedMoney userId={found.id} />
          </Suspense>
          <Account person={found} />
          {may('reports:read') ? <Money userId={found.id} /> : null}
          {may('invoices:read') ? <CreditCard userId={found.id} /> : null}
          {may('invoices:read') ? <MethodsCard userId={found.id} /> : null}
          <AllowanceCard person={found} />
          <ReferralCard customer={found} isGone={found.status === 'deleted'} />
          {may('users:write') ? <AccessCard person={found} /> : null}
        </div>
      </div>
    </Page>
  )
}

type Dialog = 'view' | 'credit' | 'suspend' | 'edit' | 'mail' | 'ticket' | 'order' | null

function Head({ person: found }: { person: Person }) {
  const { people } = useAdminTexts()
  const { date } = useFormats()
  const may = useMay()
  const [dialog, open] = useState<Dialog>(null)
  const wasOpened = useOnceOpened(dialog !== null)
  const { id, name, email, status, createdAt } = found
  const of = (which: Dialog) => ({
    ...{ person: found, opened: dialog === which, close: () => open(null) },
  })
  const items = [
    ['edit', people.edit, I.Edit, may('users:write')],
    ['mail', people.writeMail, I.Mail, may('users:write') && status !== 'deleted'],
    ['credit', people.giveCredit, I.Wallet, may('users:credit')],
    [
      'order',
      people.newOrder,
      I.ShoppingCart,
      may('orders:write') && may('store:read') && status === 'active',
    ],
    [
      'ticket',
      people.newTicket,
      I.Lifebuoy,
      may('tickets:read') && may('tickets:write') && status !== 'deleted',
    ],
    [
      'suspend',
      status === 'suspended' ? people.unsuspend : people.suspend,
      I.UserOff,
      may('users:write') && status !== 'deleted',
    ],
  ] as const
  const offered = items.filter(([, , , isOpen]) => isOpen)
  return (
    <header className="page-head middle">
      <Avatar name={name} size={52} />
      <div className="grow least">
        <div className="row gap12 wrap">
          <h1>{name}</h1>
          <PersonTag status={status} />
        </div>
        <div className="row wrap dim">
          <Copy value={email} label={people.email} />
          <span>{people.customerSince(date(createdAt))}</span>
          <Presence kind="user" id={id} />
        </div>
      </div>
      <div className="actions">
        {may('users:impersonate') && status === 'active' ? (
          <Button
            variant="default"
            leftSection={<I.Eye size={16} aria-hidden />}
            onClick={() => open('view')}
          >
            {people.view}
          </Button>
        ) : null}
        {may('invoices:write') && status !== 'deleted' ? (
          <LinkButton
            to="/admin/invoices/new"
            search={{ userId: id }}
            variant="default"
            leftSection={<I.FileInvoice size={16} aria-hidden />}
          >
            {people.newInvoice}
          </LinkButton>
        ) : null}
        <MoreMenu items={offered} choose={open} />
      </div>
      {wasOpened ? (
        <Suspense>
          <ViewAs {...of('view')} />
          <GiveCredit {...of('credit')} />
          <Suspend key={status} {...of('suspend')} />
          <EditPerson {...of('edit')} />
          {dialog === 'ticket' ? <NewTicket customer={found} close={() => open(null)} /> : null}
          {dialog === 'order' ? <NewOrder customer={found} close={() => open(null)} /> : null}
          <SendMail {...of('mail')} />
        </Suspense>
      ) : null}
    </header>
  )
}

function Services({ userId }: { userId: string }) {
  const { people } = useAdminTexts()
  const { money } = useFormats()
  return (
    <Card
      flush
      title={people.servers}
      right={
        <Link to="/admin/servers" search={{ view: 'all', userId }}>
          {people.allOf}
        </Link>
      }
    >
      <Loaded query={useQuery(servicesOf(userId))} waiting={null}>
        {({ data }) =>
          data.length === 0 ? (
            <p className="dim inset">{people.noServers}</p>
          ) : (
            <ul>
              {data.map((it) => (
                <li key={it.id} className="attn four">
                  <Emblem name={it.game ?? it.product.name} size={32} />
                  <span className="cut">
                    <Link to="/admin/servers/$id" params={{ id: it.id }} className="cut block">
                      {it.name}
                    </Link>
                    <span className="sub cut block">{it.product.name}</span>
                  </span>
                  <ServiceTag status={it.status} power={null} />
                  <span className="num sm-gone">{money(it.plan.priceCents, it.currency)}</span>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Card>
  )
}

function Invoices({ userId }: { userId: string }) {
  const { people } = useAdminTexts()
  const { billing } = useTexts()
  const { money, date } = useFormats()
  return (
    <Card
      flush
      title={people.invoices}
      right={
        <Link to="/admin/invoices" search={{ userId }}>
          {people.allOf}
        </Link>
      }
    >
      <Loaded query={useQuery(invoicesOf(userId))} waiting={null}>
        {({ data }) =>
          data.length === 0 ? (
            <p className="dim inset">{people.noInvoices}</p>
          ) : (
            <ul>
              {data.map((it) => (
                <li key={it.id} className="attn">
                  <InvoiceTag invoice={it} />
                  <span className="cut">
                    <Link to="/admin/invoices/$id" params={{ id: it.id }} className="cut block">
                      {it.number ?? billing.proforma}
                    </Link>
                    <span className="sub cut block">{date(it.issuedAt ?? it.createdAt)}</span>
                  </span>
                  <span className="num">{money(it.totalCents, it.currency)}</span>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Card>
  )
}

function Account({ person: found }: { person: Person }) {
  const { people } = useAdminTexts()
  const { country, moment } = useFormats()
  const may = useMay()
  const { address, roles, marketingConsentAt: agreedAt, marketingConsentSource: source } = found
  const where = source ? people.consentSources[source] : people.consentUnrecorded
  const offers = agreedAt ? `${moment(agreedAt)}, ${where}` : people.no
  const place = address
    ? [address.line1, address.line2, `${address.postcode} ${address.city}`]
        .filter(Boolean)
        .join(', ')
    : '–'
  return (
    <Card
      title={people.account}
      right={
        may('system:read') ? (
          <Link to="/admin/mails" search={{ q: found.email }}>
            {people.mails}
          </Link>
        ) : null
      }
    >
      <Facts
        rows={[
          [people.country, found.country ? country(found.country) : '–'],
          [people.company, found.company ?? '–'],
          [people.vatNumber, found.vatNumber ?? '–'],
          [people.address, place],
          [people.phone, found.phone ?? '–'],
          [people.language, languageName(found.locale)],
          [people.timeZone, found.timeZone ?? '–'],
          [people.offers, offers],
          [people.confirmed, found.emailVerifiedAt ? people.yes : people.no],
          [people.secondFactor, found.mfaEnabled ? people.yes : people.no],
          ...(roles.length > 0
            ? ([[people.rolesHead, roles.map(({ name }) => name).join(', ')]] as const)
            : []),
          [people.id, <Copy key="id" value={found.id} label={people.id} />],
        ]}
      />
    </Card>
  )
}

function Money({ userId }: { userId: string }) {
  const { people } = useAdminTexts()
  const { money } = useFormats()
  return (
    <Card title={people.statement}>
      <Loaded query={useQuery(accountOf(userId))} waiting={null}>
        {({ balances }) =>
          balances.length === 0 ? (
            <p className="dim">{people.nothingOwed}</p>
          ) : (
            <Facts
              rows={balances.map(({ currency, closingCents }) => [
                closingCents < 0 ? people.credit : people.balance,
                money(Math.abs(closingCents), currency),
              ])}
            />
          )
        }
      </Loaded>
    </Card>
  )
}
