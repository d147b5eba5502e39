import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { fieldErrors, useAction } from '../../api/actions.ts'
import { client } from '../../api/client.ts'
import { useTexts } from '../../texts/index.tsx'
import {
  Avatar,
  Button,
  Card,
  Checkbox,
  Confirm,
  Empty,
  I,
  IconAction,
  Loaded,
  Modal,
  Private,
  refused,
  TextInput,
  told,
  useFormats,
} from '../../ui/index.ts'
import { ServiceFrame } from './frame.tsx'
import { OwnerOnly } from './owner-only.tsx'
import { invitations, members, type Permission } from './reads.ts'

/** The permissions that can be given; each includes seeing the server. */
const GIVEN = ['power', 'console', 'files', 'backups', 'settings'] as const

/** Who else may use the server, and with which permissions. */
export function ServicePeople() {
  const { services } = useTexts()
  return (
    <ServiceFrame>
      {({ service: { id, role } }) =>
        role === 'owner' ? (
          <div className="stack s24">
            <Private>
              <Members id={id} />
              <Invitations id={id} />
            </Private>
          </div>
        ) : (
          <OwnerOnly id={id} title={services.members} />
        )
      }
    </ServiceFrame>
  )
}

type Person = {
  readonly userId: string
  readonly name: string
  readonly permissions: readonly Permission[]
}

function Members({ id }: { id: string }) {
  const { services, common } = useTexts()
  const [isInviting, invite] = useState(false)
  const [removing, remove] = useState<Person | null>(null)
  const [changing, change] = useState<Person | null>(null)
  const removal = useAction(
    (userId: string) =>
      client.DELETE('/v1/services/{id}/members/{userId}', { params: { path: { id, userId } } }),
    {
      changes: [['service', id, 'members']],
      done: () => remove(null),
      failed: (error) => refused(common.refused, error.message),
    },
  )
  return (
    <Card
      title={services.members}
      right={
        <Button
          size="compact-sm"
          leftSection={<I.UserPlus size={15} aria-hidden />}
          onClick={() => invite(true)}
        >
          {services.invite}
        </Button>
      }
    >
      <Loaded query={useQuery(members(id))} waiting="…">
        {({ data }) => {
          const others = data.filter(({ role }) => role === 'member')
          if (others.length === 0) {
            return (
              <Empty icon={I.Users} title={services.onlyYou}>
                {services.onlyYouText}
              </Empty>
            )
          }
          return (
            <ul className="stack s12">
              {others.map((person) => (
                <li key={person.userId} className="row gap12">
                  <Avatar name={person.name} />
                  <span className="grow cut">
                    {person.name}
                    <span className="sub block cut">
                      {person.permissions.map((it) => services.permissions[it]).join(', ')}
                    </span>
                  </span>
                  <IconAction
                    label={`${services.editRights}: ${person.name}`}
                    icon={I.Settings}
                    onClick={() => change(person)}
                  />
                  <IconAction
                    label={`${services.remove}: ${person.name}`}
                    icon={I.Trash}
                    onClick={() => remove(person)}
                  />
                </li>
              ))}
            </ul>
          )
        }}
      </Loaded>
      <Confirm
        opened={removing !== null}
        close={() => remove(null)}
        title={services.removeTitle(removing?.name ?? '')}
        action={services.remove}
        run={() => removing && removal.mutate(removing.userId)}
        isRunning={removal.isPending}
        isDangerous
      >
        {services.removeText}
      </Confirm>
      {changing ? (
        <Rights key={changing.userId} {...{ id, person: changing }} close={() => change(null)} />
      ) : null}
      <Invite id={id} opened={isInviting} close={() => invite(false)} />
    </Card>
  )
}

type RightsProps = { readonly id: string; readonly person: Person; readonly close: () => void }

function Rights({ id, person: { userId, name, permissions }, close }: RightsProps) {
  const { services, common } = useTexts()
  const [chosen, choose] = useState<readonly Permission[]>(permissions)
  const save = useAction(
    (wanted: readonly Permission[]) =>
      client.PATCH('/v1/services/{id}/members/{userId}', {
        params: { path: { id, userId } },
        body: { permissions: [...wanted] },
      }),
    {
      changes: [['service', id, 'members']],
      done: () => {
        told(common.saved, name)
        close()
      },
      failed: (error) => refused(common.refused, error.message),
    },
  )
  return (
    <Modal opened onClose={close} title={`${services.editRights}: ${name}`}>
      <Permissions chosen={chosen} choose={choose} />
      <div className="row ends">
        <Button variant="default" onClick={close}>
          {common.cancel}
        </Button>
        <Button loading={save.isPending} onClick={() => save.mutate(chosen)}>
          {common.save}
        </Button>
      </div>
    </Modal>
  )
}

type PermissionsProps = {
  readonly chosen: readonly Permission[]
  readonly choose: (chosen: readonly Permission[]) => void
}

function Permissions({ chosen, choose }: PermissionsProps) {
  const { services } = useTexts()
  return (
    <fieldset className="plain stack s8">
      <legend className="strong">{services.may}</legend>
      <p className="sub">{services.viewAlways}</p>
      {GIVEN.map((it) => (
        <Checkbox
          key={it}
          label={services.permissions[it]}
          checked={chosen.includes(it)}
          onChange={(event) =>
            choose(
              event.currentTarget.checked
                ? [...chosen, it]
                : chosen.filter((other) => other !== it),
            )
          }
        />
      ))}
    </fieldset>
  )
}

type InviteProps = { readonly id: string; readonly opened: boolean; readonly close: () => void }

function Invite({ id, opened, close }: InviteProps) {
  const { services, common } = useTexts()
  const [email, setEmail] = useState('')
  const [chosen, choose] = useState<readonly Permission[]>(['power', 'console'])
  const send = useAction(
    (_: { email: string; chosen: readonly Permission[] }, intent) =>
      client.POST('/v1/services/{id}/invitations', {
        params: { path: { id } },
        body: { email, permissions: [...chosen] },
        ...intent,
      }),
    {
      changes: [['service', id, 'invitations']],
      done: () => {
        told(services.invited(email))
        setEmail('')
        close()
      },
    },
  )
  return (
    <Modal opened={opened} onClose={close} title={services.inviteTitle}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          send.mutate({ email, chosen })
        }}
      >
        <TextInput
          label={services.email}
          type="email"
          autoComplete="off"
          required
          data-autofocus
          value={email}
          error={fieldErrors(send.error).email ?? send.error?.message}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <Permissions chosen={chosen} choose={choose} />
        <div className="row ends">
          <Button variant="default" onClick={close}>
            {common.cancel}
          </Button>
          <Button type="submit" loading={send.isPending}>
            {services.sendInvitation}
          </Button>
        </div>
      </form>
    </Modal>
  )
}

function Invitations({ id }: { id: string }) {
  const { services, common } = useTexts()
  const { date } = useFormats()
  const options = {
    changes: [['service', id, 'invitations']],
    failed: (error: Error) => refused(common.refused, error.message),
  }
  const resend = useAction(
    (invitationId: string, intent) =>
      client.POST('/v1/services/{id}/invitations/{invitationId}/resend', {
        params: { path: { id, invitationId } },
        ...intent,
      }),
    { ...options, done: () => told(services.resent) },
  )
  const revoke = useAction(
    (invitationId: string) =>
      client.DELETE('/v1/services/{id}/invitations/{invitationId}', {
        params: { path: { id, invitationId } },
      }),
    options,
  )
  const query = useQuery(invitations(id))
  const pending = query.data?.data.filter(({ status }) => status === 'pending') ?? []
  if (pending.length === 0) return null
  return (
    <Card title={services.pendingInvitations}>
      <ul className="stack s12">
        {pending.map(({ id: invitationId, email, expiresAt }) => (
          <li key={invitationId} className="row gap12 wrap">
            <span className="grow cut">
              {email}
              <span className="sub block">{services.expires(date(expiresAt))}</span>
            </span>
            <Button
              size="compact-sm"
              variant="default"
              loading={resend.isPending && resend.variables === invitationId}
              onClick={() => resend.mutate(invitationId)}
            >
              {services.resend}
            </Button>
            <Button
              size="compact-sm"
              variant="default"
              loading={revoke.isPending && revoke.variables === invitationId}
              onClick={() => revoke.mutate(invitationId)}
            >
              {services.revoke}
            </Button>
          </li>
        ))}
      </ul>
    </Card>
  )
}
