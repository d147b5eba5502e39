import { useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useRef, useState } from 'react'
import { client } from '../../api/client.ts'
import { useList } from '../../api/lists.ts'
import { useTexts } from '../../texts/index.tsx'
import {
  Button,
  Checkbox,
  Empty,
  I,
  IconAction,
  Link,
  Listed,
  Page,
  SegmentedControl,
  Table,
  useFormats,
  useOnceOpened,
} from '../../ui/index.ts'
import { useRowKeys } from '../../ui/lists/keys.ts'
import { type Invoice, invoicesKey } from './reads.ts'
import { useSave } from './save.ts'
import { InvoiceTag } from './status.tsx'

const Pay = lazy(async () => ({ default: (await import('./pay.tsx')).Pay }))

/** All invoices; several open ones can be paid together. */
export function Invoices() {
  const { billing } = useTexts()
  const { status } = useSearch({ from: '/customer/invoices' })
  const navigate = useNavigate({ from: '/invoices' })
  const [chosen, choose] = useState<readonly string[]>([])
  const [isPaying, pay] = useState(false)
  const wasPaying = useOnceOpened(isPaying)
  const table = useRef<HTMLDivElement>(null)
  useRowKeys(table)
  const list = useList(invoicesKey(status ?? 'all'), (where, signal) =>
    client.GET('/v1/billing/invoices', {
      params: { query: { ...where, ...(status && { status }) } },
      signal,
    }),
  )
  return (
    <Page title={billing.invoices}>
      <div className="tools">
        <SegmentedControl
          aria-label={billing.show}
          value={status ?? 'all'}
          data={[
            { value: 'all', label: billing.all },
            { value: 'open', label: billing.open },
            { value: 'paid', label: billing.paid },
          ]}
          onChange={(value) =>
            void navigate({
              search: value === 'open' || value === 'paid' ? { status: value } : {},
              replace: true,
            })
          }
        />
      </div>
      <div className="card" ref={table}>
        <Listed list={list} empty={<NoInvoices isFiltered={status !== undefined} />}>
          {(rows) => <Rows {...{ rows, chosen, choose }} />}
        </Listed>
      </div>
      {chosen.length > 0 ? (
        <section className="bulkbar" aria-label={billing.selection}>
          <span className="num">{billing.selected(chosen.length)}</span>
          <Button onClick={() => pay(true)}>{billing.payTogether}</Button>
          <IconAction label={billing.clear} icon={I.X} onClick={() => choose([])} />
        </section>
      ) : null}
      {wasPaying ? (
        <Suspense>
          <Pay
            invoiceIds={chosen}
            amount={null}
            opened={isPaying}
            close={() => {
              pay(false)
              choose([])
            }}
          />
        </Suspense>
      ) : null}
    </Page>
  )
}

function NoInvoices({ isFiltered }: { isFiltered: boolean }) {
  const { billing } = useTexts()
  const navigate = useNavigate({ from: '/invoices' })
  if (!isFiltered) {
    return (
      <Empty icon={I.FileInvoice} title={billing.none}>
        {billing.noneText}
      </Empty>
    )
  }
  return (
    <Empty
      icon={I.FileInvoice}
      title={billing.noMatch}
      action={
        <Button variant="default" onClick={() => void navigate({ search: {}, replace: true })}>
          {billing.showAll}
        </Button>
      }
    />
  )
}

type RowsProps = {
  readonly rows: readonly Invoice[]
  readonly chosen: readonly string[]
  readonly choose: (chosen: readonly string[]) => void
}

function Rows({ rows, chosen, choose }: RowsProps) {
  const { billing } = useTexts()
  const { money, date } = useFormats()
  const nameOf = ({ number }: Invoice) => number ?? billing.proforma
  const canPay = ({ status, dueCents }: Invoice) => status === 'open' && dueCents > 0
  return (
    <Table
      caption={billing.invoices}
      rows={rows}
      rowKey={({ id }) => id}
      links
      columns={[
        {
          head: billing.selection,
          silent: true,
          small: 'check',
          cell: (invoice) =>
            canPay(invoice) ? (
              <span className="above">
                <Checkbox
                  aria-label={billing.select(nameOf(invoice))}
                  checked={chosen.includes(invoice.id)}
                  onChange={(event) =>
                    choose(
                      event.currentTarget.checked
                        ? [...chosen, invoice.id]
                        : chosen.filter((id) => id !== invoice.id),
                    )
                  }
                />
              </span>
            ) : null,
        },
        {
          head: billing.number,
          cell: (invoice) => (
            <Link to="/invoices/$id" params={{ id: invoice.id }} className="rowlink num">
              {nameOf(invoice)}
            </Link>
          ),
        },
        {
          head: billing.statusHead,
          small: 'second',
          cell: (invoice) => <InvoiceTag invoice={invoice} />,
        },
        {
          head: billing.kindHead,
          small: 'sub',
          cell: ({ kind }) => <span className="dim">{billing.kind[kind]}</span>,
        },
        {
          head: billing.date,
          small: 'hide',
          cell: ({ issuedAt, createdAt }) => (
            <span className="dim num">{date(issuedAt ?? createdAt)}</span>
          ),
        },
        {
          head: billing.amount,
          right: true,
          small: 'second',
          cell: ({ totalCents, currency }) => (
            <span className="strong">{money(totalCents, currency)}</span>
          ),
        },
        {
          head: billing.pdf,
          silent: true,
          right: true,
          small: 'hide',
          cell: (invoice) =>
            invoice.number ? (
              <span className="above">
                <DownloadPdf id={invoice.id} number={invoice.number} />
              </span>
            ) : null,
        },
      ]}
    />
  )
}

function DownloadPdf({ id, number }: { id: string; number: string }) {
  const save = useSave()
  const { billing } = useTexts()
  return (
    <IconAction
      label={billing.download(`${billing.pdf} ${number}`)}
      icon={I.Download}
      onClick={() =>
        save(
          `${number}.pdf`,
          client.GET('/v1/billing/invoices/{id}/pdf', {
            params: { path: { id } },
            parseAs: 'blob',
          }),
        )
      }
    />
  )
}
