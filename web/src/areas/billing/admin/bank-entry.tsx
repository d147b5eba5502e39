import type { components } from '@moorage/client'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { client } from '../../../api/client.ts'
import { useMay } from '../../../api/permissions.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import {
  ActButton,
  Card,
  Facts,
  Link,
  Loaded,
  Page,
  Tag,
  TextInput,
  useFormats,
} from '../../../ui/index.ts'
import { ENTRY_TONES } from './bank.tsx'
import { bankEntry } from './reads.ts'

type Entry = components['schemas']['BankEntryWithProposals']
type Proposal = components['schemas']['BankEntryProposal']

const CHANGES = [
  ['admin', 'bank-entries'],
  ['admin', 'invoices'],
  ['admin', 'attention'],
]

/** A bank entry, with suggested invoices. */
export function BankEntryPage() {
  const { id = '' } = useParams({ strict: false })
  return (
    <div className="service">
      <Loaded isScreen query={useQuery(bankEntry(id))}>
        {(found) => <Found entry={found} />}
      </Loaded>
    </div>
  )
}

function Found({ entry: it }: { entry: Entry }) {
  const { payments } = useAdminTexts()
  const { money, date, moment } = useFormats()
  const may = useMay()
  const isOpen = (it.status === 'open' || it.status === 'new') && may('invoices:write')
  return (
    <Page
      wide
      title={`${payments.entry}: ${money(it.amountCents, it.currency)}`}
      sub={<Tag tone={ENTRY_TONES[it.status]}>{payments.entryStatus[it.status]}</Tag>}
      actions={isOpen ? <Dismiss id={it.id} /> : null}
    >
      <div className="grid split">
        <Card flush title={payments.proposals}>
          {it.proposals.length === 0 ? (
            <p className="dim inset">{payments.noProposals}</p>
          ) : (
            <ul>
              {it.proposals.map((proposal) => (
                <ProposalRow key={proposal.invoiceId} {...{ entry: it, proposal, isOpen }} />
              ))}
            </ul>
          )}
        </Card>
        <Card title={payments.details}>
          <Facts
            rows={[
              [payments.payer, it.payerName ?? '–'],
              [payments.iban, it.payerIban ?? '–'],
              [payments.remittance, it.remittance ?? '–'],
              [payments.booked, date(it.bookedOn)],
              [payments.bankReference, it.bankReference ?? '–'],
              ...(it.note ? ([[payments.note, it.note]] as const) : []),
              ...(it.settledAt ? ([[payments.settledAt, moment(it.settledAt)]] as const) : []),
            ]}
          />
        </Card>
      </div>
    </Page>
  )
}

type ProposalProps = {
  readonly entry: Entry
  readonly proposal: Proposal
  readonly isOpen: boolean
}

function ProposalRow({ entry, proposal, isOpen }: ProposalProps) {
  const { payments } = useAdminTexts()
  const { money } = useFormats()
  const { invoiceId, number, customerName, dueCents, reasons } = proposal
  const why = reasons.map((reason) => payments.why[reason]).join(', ')
  return (
    <li className="attn two">
      <span className="cut">
        <Link to="/admin/invoices/$id" params={{ id: invoiceId }} className="note strong">
          {number ?? invoiceId}
        </Link>
        <span className="sub cut block">
          {[customerName, payments.due(money(dueCents, entry.currency)), why]
            .filter(Boolean)
            .join(' · ')}
        </span>
      </span>
      {isOpen ? (
        <span className="above">
          <ActButton
            label={payments.assign}
            title={payments.assignTitle(number ?? '')}
            consequence={payments.assignText}
            verb={payments.assign}
            initial={{}}
            call={(_, intent) =>
              client.POST('/v1/admin/bank-entries/{id}/assign', {
                params: { path: { id: entry.id } },
                body: { invoiceId },
                ...intent,
              })
            }
            changes={CHANGES}
            told={payments.assigned}
          />
        </span>
      ) : null}
    </li>
  )
}

function Dismiss({ id }: { id: string }) {
  const { payments } = useAdminTexts()
  return (
    <ActButton
      label={payments.dismiss}
      title={payments.dismissTitle}
      consequence={payments.dismissText}
      verb={payments.dismiss}
      initial={{ note: '' }}
      isIncomplete={({ note }) => note.trim() === ''}
      call={({ note }, intent) =>
        client.POST('/v1/admin/bank-entries/{id}/dismiss', {
          params: { path: { id } },
          body: { note: note.trim() },
          ...intent,
        })
      }
      changes={CHANGES}
      told={payments.dismissed}
    >
      {({ text }) => <TextInput {...text('note')} label={payments.note} />}
    </ActButton>
  )
}
