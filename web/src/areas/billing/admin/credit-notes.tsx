import type { components } from '@moorage/client'
import { client } from '../../../api/client.ts'
import { useList } from '../../../api/lists.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import {
  amountOf,
  Button,
  type DataColumn,
  DataList,
  Empty,
  I,
  Link,
  LinkedFilter,
  SearchFilter,
  useFormats,
  useListAddress,
  useOrder,
} from '../../../ui/index.ts'
import { useSave } from '../save.ts'

type Note = components['schemas']['AdminCreditNote']

/** All credit notes of the shop. */
export function CreditNotes() {
  const { invoices, lists } = useAdminTexts()
  const { search } = useListAddress()
  const order = useOrder()
  const query = {
    ...order.query,
    ...(search.number && { number: search.number.slice(0, 35) }),
    ...(search.userId && { userId: search.userId }),
  }
  const list = useList(
    ['admin', 'invoices', 'credit-notes', query],
    (where, signal) =>
      client.GET('/v1/admin/credit-notes', { params: { query: { ...where, ...query } }, signal }),
    { isCounted: true },
  )
  return (
    <DataList
      name="credit-notes"
      views="credit_notes"
      caption={invoices.creditNotes}
      list={list}
      columns={useColumns()}
      filters={
        <>
          <SearchFilter name="number" label={invoices.number} />
          <LinkedFilter name="userId" label={lists.ofCustomer} />
          {order.filter}
        </>
      }
      empty={
        <Empty icon={I.FileMinus} title={invoices.noCreditNotes}>
          {invoices.noCreditNotesText}
        </Empty>
      }
    />
  )
}

function useColumns(): readonly DataColumn<Note>[] {
  const { invoices } = useAdminTexts()
  const { money, date } = useFormats()
  return [
    {
      ...{ id: 'number', head: invoices.number, value: ({ number }) => number },
      cell: ({ number, invoiceId, invoiceNumber }) => (
        <span className="who block">
          <span className="num strong">{number}</span>
          <span className="sub block">
            {invoices.creditNoteOf}{' '}
            <Link to="/admin/invoices/$id" params={{ id: invoiceId }} className="num">
              {invoiceNumber}
            </Link>
          </span>
        </span>
      ),
    },
    {
      ...{ id: 'customer', head: invoices.customer, small: 'hide' },
      value: ({ customerName }) => customerName,
      cell: ({ customerName }) => <span className="cut block narrow">{customerName}</span>,
    },
    {
      ...{ id: 'reason', head: invoices.reason, small: 'hide', value: ({ reason }) => reason },
      cell: ({ reason }) => <span className="cut block narrow">{reason || '–'}</span>,
    },
    {
      ...{ id: 'issued', head: invoices.issued, right: true, small: 'hide' },
      value: ({ issuedAt }) => issuedAt,
      cell: ({ issuedAt }) => <span className="dim">{date(issuedAt)}</span>,
    },
    {
      ...{ id: 'total', head: invoices.total, right: true, small: 'second' },
      value: ({ totalCents, currency }) => amountOf(totalCents, currency),
      cell: ({ totalCents, currency }) => money(totalCents, currency),
    },
    {
      ...{ id: 'documents', head: invoices.documents, silent: true, right: true },
      cell: (it) => <NoteDocuments note={it} />,
    },
  ]
}

/** A credit note as PDF and as an e-invoice. */
export function NoteDocuments({ note: { id, number } }: { note: Note }) {
  const { invoices } = useAdminTexts()
  const save = useSave()
  const path = { params: { path: { id } }, parseAs: 'blob' } as const
  return (
    <span className="row ends">
      <Button
        variant="default"
        size="compact-sm"
        aria-label={`${invoices.pdf}, ${number}`}
        onClick={() => save(`${number}.pdf`, client.GET('/v1/admin/credit-notes/{id}/pdf', path))}
      >
        {invoices.pdf}
      </Button>
      <Button
        variant="default"
        size="compact-sm"
        aria-label={`${invoices.xmlShort}, ${number}`}
        onClick={() => save(`${number}.xml`, client.GET('/v1/admin/credit-notes/{id}/xml', path))}
      >
        {invoices.xmlShort}
      </Button>
    </span>
  )
}
