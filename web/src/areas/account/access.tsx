import { useState } from 'react'
import { detailsOf, fieldErrors, useAction } from '../../api/actions.ts'
import { client } from '../../api/client.ts'
import { useList } from '../../api/lists.ts'
import { useTexts } from '../../texts/index.tsx'
import {
  Button,
  Card,
  Confirm,
  Copy,
  Empty,
  I,
  Listed,
  Modal,
  Once,
  Private,
  refused,
  Select,
  Tag,
  Textarea,
  TextInput,
  useFormats,
} from '../../ui/index.ts'
import { AccountFrame } from './frame.tsx'

type ApiKeyPermission = 'read' | 'read-write'
type Key = { readonly id: string; readonly name: string | null; readonly prefix: string }

/** What can act for the person: API keys, and applications that sign them in. */
export function Access() {
  const { account } = useTexts()
  return (
    <AccountFrame title={account.access}>
      <Private>
        <Keys />
        <Applications />
      </Private>
    </AccountFrame>
  )
}

function Keys() {
  const { account, common } = useTexts()
  const { date, ago } = useFormats()
  const [isMaking, make] = useState(false)
  const [made, show] = useState<string | null>(null)
  const [removing, remove] = useState<Key | null>(null)
  const list = useList(['api-keys'], (where, signal) =>
    client.GET('/v1/api-keys', { params: { query: where }, signal }),
  )
  const removal = useAction(
    (id: string) => client.DELETE('/v1/api-keys/{id}', { params: { path: { id } } }),
    {
      changes: [['api-keys']],
      done: () => remove(null),
      failed: (error) => refused(common.refused, error.message),
    },
  )
  return (
    <Card
      title={account.keys}
      right={
        <Button
          size="compact-sm"
          leftSection={<I.Plus size={15} aria-hidden />}
          onClick={() => make(true)}
        >
          {account.newKey}
        </Button>
      }
    >
      <p className="sub">{account.keysText}</p>
      <Listed list={list} empty={<Empty icon={I.Key} title={account.noKeys} />}>
        {(rows) => (
          <ul className="methods">
            {rows.map((key) => (
              <li key={key.id}>
                <span className="grow">
                  {key.name ?? key.prefix} <span className="mono dim">{key.prefix}…</span>
                  <span className="sub block">
                    {key.expiresAt ? `${account.expiresOn(date(key.expiresAt))} · ` : ''}
                    {key.lastUsedAt ? account.lastUsed(ago(key.lastUsedAt)) : account.neverUsed}
                  </span>
                </span>
                <Tag tone="ended">{account.permissions[key.permission]}</Tag>
                <Button
                  size="compact-sm"
                  variant="default"
                  aria-label={`${account.remove}: ${key.name ?? key.prefix}`}
                  onClick={() => remove(key)}
                >
                  {account.remove}
                </Button>
              </li>
            ))}
          </ul>
        )}
      </Listed>
      <NewKey opened={isMaking} close={() => make(false)} show={show} />
      <Once title={account.keyCreated} opened={made !== null} close={() => show(null)}>
        <p className="dim">{account.keyCreatedText}</p>
        <Copy big value={made ?? ''} label={account.keyCreated} />
        <pre className="code">{`curl ${location.origin}/v1/services \\\n  -H 'authorization: Bearer ${made?.slice(0, 12)}…'`}</pre>
        <div className="row ends">
          <Button onClick={() => show(null)}>{account.done}</Button>
        </div>
      </Once>
      <Confirm
        opened={removing !== null}
        close={() => remove(null)}
        title={account.removeKey(removing?.name ?? removing?.prefix ?? '')}
        action={account.remove}
        run={() => removing && removal.mutate(removing.id)}
        isRunning={removal.isPending}
        isDangerous
      >
        {account.removeKeyText}
      </Confirm>
    </Card>
  )
}

const LASTING_DAYS = [30, 90, 365]
const DAY_MS = 86_400_000

type NewKeyProps = {
  readonly opened: boolean
  readonly close: () => void
  readonly show: (key: string) => void
}

function NewKey({ opened, close, show }: NewKeyProps) {
  const { account, common } = useTexts()
  const [name, setName] = useState('')
  const [permission, setPermission] = useState<ApiKeyPermission>('read')
  const [days, setDays] = useState('')
  const [addresses, setAddresses] = useState('')
  const create = useAction(
    (_: { name: string; permission: ApiKeyPermission; days: string; addresses: string }, intent) =>
      client.POST('/v1/api-keys', {
        body: {
          permission,
          name: name.trim() || null,
          expiresAt: days ? new Date(Date.now() + Number(days) * DAY_MS).toISOString() : null,
          allowedIps: addresses.split(/\s+/).filter(Boolean),
        },
        ...intent,
      }),
    {
      changes: [['api-keys']],
      done: ({ key }) => {
        close()
        setName('')
        setAddresses('')
        show(key)
      },
    },
  )
  const errors = fieldErrors(create.error)
  return (
    <Modal opened={opened} onClose={close} title={account.newKey}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          create.mutate({ name, permission, days, addresses })
        }}
      >
        <TextInput
          label={account.keyName}
          value={name}
          maxLength={200}
          autoComplete="off"
          data-autofocus
          error={
            errors.name ?? (Object.keys(errors).length > 0 ? undefined : create.error?.message)
          }
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Select
          label={account.permission}
          value={permission}
          data={(['read', 'read-write'] as const).map((value) => ({
            value,
            label: account.permissions[value],
          }))}
          onChange={(value) => setPermission(value === 'read-write' ? value : 'read')}
        />
        <Select
          label={account.expires}
          value={days}
          data={[
            { value: '', label: account.never },
            ...LASTING_DAYS.map((count) => ({
              value: String(count),
              label: account.days(count),
            })),
          ]}
          onChange={(value) => setDays(value ?? '')}
        />
        <Textarea
          label={account.allowedIps}
          description={account.allowedIpsText}
          value={addresses}
          autosize
          minRows={2}
          error={detailsOf(create.error).find(({ path }) => path.includes('allowedIps'))?.message}
          onChange={(event) => setAddresses(event.currentTarget.value)}
        />
        <div className="row ends">
          <Button variant="default" onClick={close}>
            {common.cancel}
          </Button>
          <Button type="submit" loading={create.isPending}>
            {account.create}
          </Button>
        </div>
      </form>
    </Modal>
  )
}

function Applications() {
  const { account, common } = useTexts()
  const { date } = useFormats()
  const list = useList(['consents'], (where, signal) =>
    client.GET('/v1/users/me/consents', { params: { query: where }, signal }),
  )
  const revoke = useAction(
    (clientId: string) =>
      client.DELETE('/v1/users/me/consents/{clientId}', { params: { path: { clientId } } }),
    {
      changes: [['consents']],
      failed: (error) => refused(common.refused, error.message),
    },
  )
  return (
    <Card title={account.applications}>
      <Listed list={list} empty={<p className="sub">{account.noApplications}</p>}>
        {(rows) => (
          <ul className="methods">
            {rows.map(({ clientId, name, scopes, grantedAt }) => (
              <li key={clientId}>
                <span className="grow">
                  {name}
                  <span className="sub block">
                    {account.grantedOn(date(grantedAt))} · {scopes.join(', ')}
                  </span>
                </span>
                <Button
                  size="compact-sm"
                  variant="default"
                  loading={revoke.isPending && revoke.variables === clientId}
                  onClick={() => revoke.mutate(clientId)}
                >
                  {account.revoke}
                </Button>
              </li>
            ))}
          </ul>
        )}
      </Listed>
    </Card>
  )
}
