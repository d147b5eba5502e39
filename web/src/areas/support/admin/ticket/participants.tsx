import { useState } from 'react'
import { client } from '../../../../api/client.ts'
import { useMay } from '../../../../api/permissions.ts'
import { useAdminTexts } from '../../../../texts/admin.tsx'
import {
  ActDialog,
  Avatar,
  Button,
  Card,
  Confirm,
  I,
  IconAction,
  Link,
  TextInput,
  told,
  useChange,
  useFormats,
} from '../../../../ui/index.ts'
import { PersonSelect } from '../../../users/admin/person-select.tsx'
import { CHANGES, type TicketDetails } from '../reads.ts'

type Participant = TicketDetails['participants'][number]
type TicketProps = { readonly ticket: TicketDetails }

/** The customer and the people whom staff have added: these read and write on the ticket, too. */
export function Participants({ ticket }: TicketProps) {
  const { tickets } = useAdminTexts()
  const mayWrite = useMay()('tickets:write')
  const [isAdding, add] = useState(false)
  const [removing, remove] = useState<Participant | null>(null)
  const removal = useChange(
    (participantId: string, intent) =>
      client.DELETE('/v1/admin/tickets/{id}/participants/{participantId}', {
        params: { path: { id: ticket.id, participantId } },
        ...intent,
      }),
    {
      changes: CHANGES,
      done: () => {
        remove(null)
        told(tickets.participantRemoved)
      },
    },
  )
  return (
    <Card
      title={tickets.participants}
      right={
        mayWrite ? (
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<I.UserPlus size={15} aria-hidden />}
            aria-label={tickets.addParticipant}
            onClick={() => add(true)}
          >
            {tickets.add}
          </Button>
        ) : null
      }
    >
      <ul className="stack s12">
        {ticket.participants.map((it) => (
          <Row key={it.id} participant={it} remove={mayWrite ? () => remove(it) : null} />
        ))}
      </ul>
      <Confirm
        opened={removing !== null}
        close={() => remove(null)}
        title={tickets.removeTitle(removing?.name ?? '')}
        action={tickets.remove}
        run={() => removing && removal.mutate(removing.id)}
        isRunning={removal.isPending}
        isDangerous
      >
        {tickets.removeText}
      </Confirm>
      <Add ticket={ticket} opened={isAdding} close={() => add(false)} />
    </Card>
  )
}

type RowProps = { readonly participant: Participant; readonly remove: (() => void) | null }

function Row({ participant: it, remove }: RowProps) {
  const { tickets } = useAdminTexts()
  const { moment } = useFormats()
  const may = useMay()
  const since = it.role === 'requester' ? tickets.requester : tickets.addedAt(moment(it.addedAt))
  return (
    <li className="row gap12">
      <Avatar name={it.name} />
      <span className="grow cut">
        {may('users:read') ? (
          <Link to="/admin/people/$id" params={{ id: it.userId }}>
            {it.name}
          </Link>
        ) : (
          it.name
        )}
        <span className="sub block cut">{it.email}</span>
        <span className="sub block">{it.muted ? `${since} · ${tickets.muted}` : since}</span>
      </span>
      {remove && it.role === 'copied' ? (
        <IconAction
          label={`${tickets.remove}: ${it.name}`}
          icon={I.Trash}
          variant="subtle"
          onClick={remove}
        />
      ) : null}
    </li>
  )
}

type AddProps = TicketProps & { readonly opened: boolean; readonly close: () => void }

/** Without the permission to read people, the address is entered as text. */
function Add({ ticket: { id, participants }, opened, close }: AddProps) {
  const { tickets } = useAdminTexts()
  const mayFind = useMay()('users:read')
  const known = new Set(participants.map(({ userId }) => userId))
  return (
    <ActDialog
      {...{ opened, close }}
      title={tickets.addParticipant}
      consequence={tickets.addText}
      verb={tickets.add}
      initial={{ userId: '', name: '', address: '' }}
      isIncomplete={({ address }) => address.trim() === ''}
      call={({ address }, intent) =>
        client.POST('/v1/admin/tickets/{id}/participants', {
          params: { path: { id } },
          body: { address: address.trim() },
          ...intent,
        })
      }
      changes={CHANGES}
      told={tickets.participantAdded}
    >
      {({ fields, set, text, errors }) =>
        mayFind ? (
          <PersonSelect
            name="address"
            label={tickets.person}
            description={tickets.personHint}
            error={errors.address}
            chosen={
              fields.userId ? { id: fields.userId, name: fields.name, email: fields.address } : null
            }
            choose={(it) =>
              set({ userId: it?.id ?? '', name: it?.name ?? '', address: it?.email ?? '' })
            }
            reasonAgainst={({ id: userId, status, emailVerifiedAt }) => {
              if (known.has(userId)) return tickets.takesPart
              if (status !== 'active') return tickets.notActive
              return emailVerifiedAt ? null : tickets.unconfirmed
            }}
          />
        ) : (
          <TextInput
            {...text('address')}
            type="email"
            label={tickets.address}
            description={tickets.addressHint}
            required
            data-autofocus
          />
        )
      }
    </ActDialog>
  )
}
