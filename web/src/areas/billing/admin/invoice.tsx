import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { type ComponentType, lazy, Suspense, useState } from 'react'
import { person } from '../../../api/admin-reads.ts'
import { client } from '../../../api/client.ts'
import { useMay } from '../../../api/permissions.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import { useTexts } from '../../../texts/index.tsx'
import {
  Avatar,
  Button,
  Card,
  Facts,
  I,
  type Icon,
  Link,
  LinkButton,
  Loaded,
  MoreMenu,
  Notice,
  Page,
  SumLine,
  Tag,
  useFormats,
  useOnceOpened,
} from '../../../ui/index.ts'
import { Presence } from '../../desk/index.ts'
import { useSave } from '../save.ts'
import { InvoiceTag } from '../status.tsx'
import { Draft, Lines } from './draft.tsx'
import type { InvoiceDialogProps } from './invoice-actions.tsx'
import { type AdminInvoice, invoice } from './reads.ts'

// Most visits change nothing.
const dialogs = () => import('./invoice-actions.tsx')
const Credit = lazy(async () => ({ default: (await dialogs()).Credit }))
const DeleteDraft = lazy(async () => ({ default: (await dialogs()).DeleteDraft }))
const Issue = lazy(async () => ({ default: (await dialogs()).Issue }))
const MarkPaid = lazy(async () => ({ default: (await dialogs()).MarkPaid }))
const Refund = lazy(async () => ({ default: (await dialogs()).Refund }))
const Send = lazy(async () => ({ default: (await dialogs()).Send }))
const Void = lazy(async () => ({ default: (await dialogs()).Void }))
const WriteOff = lazy(async () => ({ default: (await dialogs()).WriteOff }))
/** Loaded separately, because drafts have no payments. */
const InvoicePayments = lazy(async () => ({
  default: (await import('./invoice-payments.tsx')).InvoicePayments,
}))
const ObjectTimeline = lazy(async () => ({
  default: (await import('../../users/admin/index.ts')).ObjectTimeline,
}))

/** One invoice: a draft can be edited, an issued invoice only corrected. */
export function AdminInvoicePage() {
  const { id = '' } = useParams({ strict: false })
  return (
    <div className="service">
      <Loaded isScreen query={useQuery(invoice(id))}>
        {(found) => <Found invoice={found} />}
      </Loaded>
    </div>
  )
}

type InvoiceProps = { readonly invoice: AdminInvoice }

function Found({ invoice: it }: InvoiceProps) {
  const { invoices } = useAdminTexts()
  const title = it.number ?? invoices.draft
  return (
    <Page wide title={title} head={<Head invoice={it} title={title} />}>
      <div className="stack">
        {it.disputed ? <Notice tone="attention" title={invoices.disputedText} /> : null}
        {it.evidenceConflict ? (
          <Notice tone="attention" title={invoices.evidenceConflict}>
            {invoices.evidenceText}
          </Notice>
        ) : null}
        {it.replacedBy ? (
          <Notice
            tone="ended"
            title={invoices.replaced}
            action={
              <LinkButton to="/admin/invoices/$id" params={{ id: it.replacedBy }} variant="default">
                {invoices.seeReplacement}
              </LinkButton>
            }
          />
        ) : null}
        <div className="grid split">
          <div className="stack">
            {it.status === 'draft' ? (
              <Draft key={it.id} invoice={it} />
            ) : (
              <>
                <Lines invoice={it} />
                <Suspense>
                  <InvoicePayments invoiceId={it.id} />
                </Suspense>
              </>
            )}
            <Suspense fallback={null}>
              <ObjectTimeline about="invoices" id={it.id} />
            </Suspense>
          </div>
          <div className="stack">
            <Totals invoice={it} />
            <Customer userId={it.userId} />
            <Details invoice={it} />
            {it.number ? <Documents invoice={it} /> : null}
          </div>
        </div>
      </div>
    </Page>
  )
}

type Action = readonly [
  label: string,
  icon: Icon,
  dialog: ComponentType<InvoiceDialogProps>,
  isOffered: boolean,
]

/** The actions for an invoice in its status, the most common first. */
function useActions(it: AdminInvoice): readonly Action[] {
  const { invoices } = useAdminTexts()
  const may = useMay()
  const isOpen = it.status === 'open'
  const actions: readonly Action[] = [
    [invoices.issue, I.Check, Issue, it.status === 'draft' && it.lines.length > 0],
    [invoices.send, I.Send, Send, it.number !== null && it.status !== 'void'],
    [invoices.markPaid, I.Cash, MarkPaid, isOpen && may('gateways:read')],
    [invoices.refund, I.CornerDownLeft, Refund, it.paidCents > it.refundedCents],
    [
      invoices.creditNote,
      I.FileMinus,
      Credit,
      it.number !== null && (isOpen || it.status === 'paid'),
    ],
    [invoices.void, I.X, Void, isOpen],
    [invoices.writeOff, I.Flag, WriteOff, isOpen && it.number !== null],
  ]
  return may('invoices:write') ? actions.filter(([, , , isOffered]) => isOffered) : []
}

function Head({ invoice: it, title }: InvoiceProps & { title: string }) {
  const { invoices } = useAdminTexts()
  const { billing } = useTexts()
  const may = useMay()
  const navigate = useNavigate()
  const [dialog, open] = useState<string | null>(null)
  const wasOpened = useOnceOpened(dialog !== null)
  const actions = useActions(it)
  const [first, ...others] = actions
  const isDraft = it.status === 'draft' && may('invoices:write')
  const close = () => open(null)
  return (
    <header className="page-head middle">
      <div className="grow least">
        <div className="row gap12 wrap">
          <h1>{title}</h1>
          <InvoiceTag invoice={it} />
          {it.disputed ? <Tag tone="attention">{invoices.disputed}</Tag> : null}
        </div>
        <div className="sub row gap12 wrap">
          <span>{billing.kind[it.kind]}</span>
          <Presence kind="invoice" id={it.id} />
        </div>
      </div>
      <div className="actions">
        {first ? <Button onClick={() => open(first[0])}>{first[0]}</Button> : null}
        <MoreMenu
          items={[
            ...others.map(([label, icon]) => [label, label, icon] as const),
            ...(isDraft ? [[invoices.deleteDraft, invoices.deleteDraft, I.Trash] as const] : []),
          ]}
          choose={open}
        />
      </div>
      {wasOpened ? (
        <Suspense>
          {actions.map(([label, , Dialog]) => (
            <Dialog
              key={`${label} ${it.dueCents}`}
              invoice={it}
              opened={dialog === label}
              close={close}
            />
          ))}
          {isDraft ? (
            <DeleteDraft
              invoice={it}
              opened={dialog === invoices.deleteDraft}
              close={close}
              done={() => void navigate({ to: '/admin/invoices', search: {} })}
            />
          ) : null}
        </Suspense>
      ) : null}
    </header>
  )
}

function Totals({ invoice: it }: InvoiceProps) {
  const { invoices } = useAdminTexts()
  const { money, rate } = useFormats()
  const amount = (cents: number) => money(cents, it.currency)
  return (
    <Card title={invoices.totals}>
      {it.discountCents === 0 ? null : (
        <SumLine label={invoices.discount} amount={amount(-it.discountCents)} />
      )}
      <SumLine label={invoices.net} amount={amount(it.netCents)} />
      {it.taxes.map(({ rateBasisPoints, category, taxCents }) => (
        <SumLine
          key={`${category} ${rateBasisPoints}`}
          label={rateBasisPoints === null ? invoices.taxFree : invoices.tax(rate(rateBasisPoints))}
          amount={amount(taxCents)}
        />
      ))}
      <SumLine total label={invoices.total} amount={amount(it.totalCents)} />
      {it.paidCents > 0 ? <SumLine label={invoices.paid} amount={amount(it.paidCents)} /> : null}
      {it.creditedCents > 0 ? (
        <SumLine label={invoices.credited} amount={amount(it.creditedCents)} />
      ) : null}
      {it.refundedCents > 0 ? (
        <SumLine label={invoices.refunded} amount={amount(it.refundedCents)} />
      ) : null}
      {it.dueCents > 0 ? (
        <SumLine total label={invoices.open} amount={amount(it.dueCents)} />
      ) : null}
    </Card>
  )
}

function Customer({ userId }: { userId: string }) {
  const { invoices } = useAdminTexts()
  const may = useMay()
  const query = useQuery({ ...person(userId), enabled: may('users:read') })
  if (!may('users:read')) return null
  return (
    <Card title={invoices.customer}>
      <Loaded query={query} waiting={null}>
        {({ id, name, email }) => (
          <div className="row gap12">
            <Avatar name={name} size={36} />
            <div className="grow cut">
              <Link to="/admin/people/$id" params={{ id }} className="strong">
                {name}
              </Link>
              <div className="sub cut">{email}</div>
            </div>
          </div>
        )}
      </Loaded>
    </Card>
  )
}

function Details({ invoice: it }: InvoiceProps) {
  const { invoices } = useAdminTexts()
  const { date } = useFormats()
  const may = useMay()
  const day = (at: string | null) => (at ? date(at) : '–')
  return (
    <Card title={invoices.facts}>
      <Facts
        rows={[
          [invoices.issued, day(it.issuedAt)],
          [invoices.due, day(it.dueAt)],
          [invoices.paid, day(it.paidAt)],
          ...(it.reference ? ([[invoices.reference, it.reference]] as const) : []),
          ...(it.series ? ([[invoices.series, it.series]] as const) : []),
          ...(it.voidReason ? ([[invoices.voidReason, it.voidReason]] as const) : []),
          ...(it.orderId && may('orders:read')
            ? ([
                [
                  invoices.order,
                  <Link key="order" to="/admin/orders/$id" params={{ id: it.orderId }}>
                    {invoices.order}
                  </Link>,
                ],
              ] as const)
            : []),
        ]}
      />
    </Card>
  )
}

function Documents({ invoice: { id, number } }: InvoiceProps) {
  const { invoices } = useAdminTexts()
  const save = useSave()
  const path = { params: { path: { id } }, parseAs: 'blob' } as const
  return (
    <div className="row wrap">
      <Button
        variant="default"
        leftSection={<I.Download size={16} aria-hidden />}
        onClick={() => save(`${number}.pdf`, client.GET('/v1/admin/invoices/{id}/pdf', path))}
      >
        {invoices.pdf}
      </Button>
      <Button
        variant="default"
        onClick={() => save(`${number}.xml`, client.GET('/v1/admin/invoices/{id}/xml', path))}
      >
        {invoices.xml}
      </Button>
    </div>
  )
}
